import { followAll } from './feeds.ts';

const ports = new Set<MessagePort>();
const deliverStates = followAll((update) => {
  for (const port of ports) port.postMessage(update);
});

addEventListener('connect', (event) => {
  const [port] = (event as MessageEvent).ports;
  if (!port) return;
  ports.add(port);
  // Browsers without this event keep the ports of closed tabs until the last tab is closed.
  port.addEventListener('close', () => ports.delete(port));
  port.start();
  deliverStates();
});
