import { setTimeout as wait } from 'node:timers/promises';

/** Time, as far as the driver has to do with it; tests hand in their own. */
export interface Clock {
  now(): Date;
  /** Resolves when the time is over, or as soon as the signal is aborted. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => new Date(),
  sleep: (ms, signal) => wait(ms, undefined, { signal }).catch(() => undefined),
};
