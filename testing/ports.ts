import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the range from which operating systems assign ports, so that a restarted program gets its port again. */
const portMin = 20_000;
/** Each worker of a run has its own range of ports, so that two workers never choose the same free port. */
const shareSize = 600;
const shares = 16;
const share = Number(process.env.VITEST_POOL_ID ?? 0) % shares;

/** Each port is returned only once, because the program that uses it may not be listening at the moment. */
const given = new Set<number>();

/** A port that was free a moment ago. No other caller gets it. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = portMin + share * shareSize + randomInt(shareSize);
    if (given.has(port)) continue;
    given.add(port);
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
