import { setTimeout as delay } from 'node:timers/promises';
import { endpoints, keyHeaders } from '@shiplog/contract';
import type { History } from './history.ts';
import { Cut, HttpLine } from './http-line.ts';
import { type Instance, keys } from './instance.ts';

const lookAgainMs = 50;
const endsWithinMs = 60_000;

/** Requests a reset. Returns the reset's id if the request was accepted. */
export async function requestReset(instance: Instance, history: History): Promise<string | undefined> {
  const line = new HttpLine(instance.url);
  try {
    const answer = await line.call('POST', endpoints.startReset.path, { [keyHeaders.control]: keys.control });
    history.answered('a reset', answer, [202, 409]);
    if (answer.status !== 202) return undefined;
    return (answer.json as { correlation_id: string }).correlation_id;
  } catch (error) {
    if (!(error instanceof Cut)) history.violated('answer', `a reset got ${(error as Error).message}`);
    return undefined;
  } finally {
    line.close();
  }
}

/** Resolves when the last reported reset has ended. */
export async function resetOver(history: History): Promise<void> {
  const deadline = performance.now() + endsWithinMs;
  while (/initiated|started/.test(history.controlFrames.at(-1)?.type ?? '')) {
    if (performance.now() > deadline) {
      history.violated('reset', `a reset was not over after ${endsWithinMs} ms`);
      return;
    }
    await delay(lookAgainMs);
  }
}
