import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { endpoints, headerNames, keyHeaders, nilId, streams } from '@shiplog/contract';
import type { History } from '../history.ts';
import { HttpLine } from '../http-line.ts';
import type { Fault } from '../injector.ts';
import { type Instance, keys } from '../instance.ts';

const crowdSize = 40;
const nastyMs = { min: 2500, max: 5000 };
const dribbleEveryMs = 250;
const lookAgainMs = 50;
const resetEndsWithinMs = 60_000;

/** Hostile clients. */
export const clientFaults: readonly Fault[] = [
  {
    kind: 'slow-loris clients',
    begin: async ({ instances }, dice) => {
      const loris = Array.from({ length: crowdSize }, (_, n) => openSlowLoris(dice.one(instances), n % 2 === 0));
      return {
        holdMs: dice.between(nastyMs.min, nastyMs.max),
        mend: async () => {
          for (const socket of loris) socket.destroy();
        },
      };
    },
  },
  {
    kind: 'never-reading clients',
    begin: async ({ spared }, dice) => {
      const readers = openNeverReaders(spared, crowdSize);
      return {
        holdMs: dice.between(nastyMs.min, nastyMs.max),
        mend: async () => {
          for (const socket of readers) socket.destroy();
        },
      };
    },
  },
];

/** Resets of the log by an operator. */
export const resets: readonly Fault[] = [
  {
    kind: 'reset',
    begin: async ({ instances, history }, dice) => {
      await requestReset(dice.one(instances), history);
      return { holdMs: 0, mend: () => resetOver(history) };
    },
  },
];

/** Opens a client that starts a post and sends the remaining headers or the body byte by byte. */
export function openSlowLoris({ url }: Instance, inBody: boolean): Socket {
  const { hostname, port, host } = new URL(url);
  const socket = connect(Number(port), hostname);
  const head = `POST ${endpoints.appendDeployment.path} HTTP/1.1\r\nHost: ${host}\r\n`;
  socket.write(inBody ? `${head}${keyHeaders.api}: ${keys.api}\r\nContent-Length: 1000\r\n\r\n{` : `${head}X-Slow: `);
  const dribble = setInterval(() => socket.write('x'), dribbleEveryMs);
  socket.on('error', () => undefined).on('close', () => clearInterval(dribble));
  return socket;
}

/** Opens clients that request the complete log and read nothing. */
export function openNeverReaders({ url }: Instance, count: number): Socket[] {
  const { hostname, port, host } = new URL(url);
  return Array.from({ length: count }, () => {
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined).pause();
    socket.write(
      `GET ${streams.deployments.path} HTTP/1.1\r\nHost: ${host}\r\n${headerNames.lastEventId}: ${nilId}\r\n\r\n`,
    );
    return socket;
  });
}

export async function requestReset({ url }: Instance, history: History): Promise<void> {
  const line = new HttpLine(url, history);
  const { method, path } = endpoints.startReset;
  const headers = { [keyHeaders.control]: keys.control };
  await line.call({ name: 'a reset', method, path, headers, good: [202, 409] });
  line.close();
}

/** Resolves when the last reported reset has ended. */
export async function resetOver(history: History): Promise<void> {
  const deadline = performance.now() + resetEndsWithinMs;
  while (/initiated|started/.test(history.controlFrames.at(-1)?.type ?? '')) {
    if (performance.now() > deadline) {
      history.violated('reset', `a reset was not over after ${resetEndsWithinMs} ms`);
      return;
    }
    await delay(lookAgainMs);
  }
}
