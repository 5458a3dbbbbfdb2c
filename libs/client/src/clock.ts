import { pause } from '@shiplog/streams/follow';

/** Time, as far as a program has to do with it; tests pass their own. */
export interface Clock {
  now(): Date;
  /** Resolves when the time is over, or as soon as the signal is aborted. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

export const systemClock: Clock = { now: () => new Date(), sleep: pause };
