import type { Call, TabMessage } from './messages.ts';
import { startSource } from './source.ts';

/** The single source of this browser, with a port for each tab. All tabs get the same messages. */
const scope = self as unknown as {
  readonly name: string;
  onconnect: (event: MessageEvent) => void;
  close(): void;
};
const ports = new Set<MessagePort>();

/** The name of the worker is the URL of the service. */
const source = startSource(
  scope.name,
  (message) => {
    for (const port of ports) port.postMessage(message);
  },
  // The next page starts another worker, perhaps for another reader; the pages of this one stay as they are.
  () => scope.close(),
);

scope.onconnect = ({ ports: [port] }) => {
  if (!port) return;
  port.onmessage = ({ data }: MessageEvent<Call>) => answer(port, data);
  welcome(port);
};

function welcome(port: MessagePort): void {
  ports.add(port);
  source.greet((message: TabMessage) => port.postMessage(message));
}

function answer(port: MessagePort, { kind }: Call): void {
  if (kind === 'bye') ports.delete(port);
  else if (!ports.has(port)) welcome(port);
  else if (kind === 'wake') source.wake();
  else if (kind === 'doubt') source.doubt();
  if (kind === 'seen') source.seen();
}
