import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below those that systems give to whoever asks for any: a program that comes back gets its own again. */
const portMin = 20_000;
/** Each worker of a run has ports of its own, so that none takes what another has found to be free. */
const shareSize = 600;
const shares = 16;
const share = Number(process.env.VITEST_POOL_ID ?? 0) % shares;

/** Each is given once: who has it may not listen there yet, or not at the moment. */
const given = new Set<number>();

/** A port that nobody had a moment ago, and that nobody else is given. */
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
