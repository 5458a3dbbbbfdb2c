import { connect, type Socket } from 'node:net';

/** Raw connections that have asked for an event stream and have got its first bytes; what comes after is read and dropped. */
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
