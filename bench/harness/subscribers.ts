import { connect, type Socket } from 'node:net';

/** Raw connections with open event streams. Everything after the first bytes is read and discarded. */
export function openSubscribers(url: string, path: string, count: number): Promise<Socket[]> {
  return Promise.all(Array.from({ length: count }, () => openSubscriber(new URL(url), path)));
}

function openSubscriber({ hostname, port }: URL, path: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    socket.on('error', reject);
    socket.write(`GET ${path} HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`);
    socket.once('data', () => resolve(socket));
  });
}
