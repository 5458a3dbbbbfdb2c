import { setTimeout as wait } from 'node:timers/promises';

/** The clock of the driver; tests pass their own. */
export interface Clock {
  now(): Date;
  /** Resolves after the time, or as soon as the signal is aborted. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => new Date(),
  sleep: (ms, signal) => wait(ms, undefined, { signal }).catch(() => undefined),
};
