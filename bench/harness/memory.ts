import { setTimeout as sleep } from 'node:timers/promises';
import type { Stage } from './stage.ts';

const looks = 24;
const betweenLooksMs = 250;

/**
 * The resident memory of the service in bytes. Uses the lowest of several samples, because memory decreases after a
 * burst.
 */
export async function settledMemory(stage: Stage): Promise<number> {
  let lowest = Number.POSITIVE_INFINITY;
  for (let look = 0; look < looks; look += 1) {
    lowest = Math.min(lowest, await residentMemory(stage));
    await sleep(betweenLooksMs);
  }
  return lowest;
}

/** The current resident memory of the service, in bytes. */
export function residentMemory(stage: Stage): Promise<number> {
  return stage.metric('process_resident_memory_bytes');
}
