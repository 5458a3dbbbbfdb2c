import { type Call, type News, posted } from './messages.ts';
import { startSource } from './start-source.ts';

/** The one source of this browser. Every tab has a port to it, and all of them are told the same. */
const scope = self as unknown as { readonly name: string; onconnect: (event: MessageEvent) => void };
const ports = new Set<MessagePort>();

/** The name of the worker is the URL of the service. */
const source = startSource(scope.name, (news) => {
  const message = posted(news);
  for (const port of ports) port.postMessage(message);
});

scope.onconnect = ({ ports: [port] }) => {
  if (!port) return;
  port.onmessage = ({ data }: MessageEvent<Call>) => answer(port, data);
  welcome(port);
};

function welcome(port: MessagePort): void {
  ports.add(port);
  source.greet((news: News) => port.postMessage(posted(news)));
}

function answer(port: MessagePort, { kind }: Call): void {
  if (kind === 'bye') ports.delete(port);
  else if (!ports.has(port)) welcome(port);
  else source.wake();
}
