import { setTimeout as sleep } from 'node:timers/promises';
import type { Stage } from './stage.ts';

const looks = 24;
const betweenLooksMs = 250;

/** Resident memory of the service in bytes. It falls for a while after a burst: the lowest of some looks. */
export async function settledMemory(stage: Stage): Promise<number> {
  let lowest = Number.POSITIVE_INFINITY;
  for (let look = 0; look < looks; look += 1) {
    lowest = Math.min(lowest, await residentMemory(stage));
    await sleep(betweenLooksMs);
  }
  return lowest;
}

/** Resident memory of the service in bytes, as it is at this moment. */
export function residentMemory(stage: Stage): Promise<number> {
  return stage.metric('process_resident_memory_bytes');
}
