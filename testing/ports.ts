import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below those that systems give to whoever asks for any: a program that comes back gets its own again. */
const ports = { min: 20_000, max: 29_999 };

/** A port that nobody had a moment ago. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(ports.min, ports.max);
    const server = createServer().listen(port, '127.0.0.1');
    const free = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (!free) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}
