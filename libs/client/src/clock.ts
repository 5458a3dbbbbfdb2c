import { pause } from '@shiplog/streams/follow';

/** A clock. Tests pass their own. */
export interface Clock {
  now(): Date;
  /** Resolves after the time, or as soon as the signal is aborted. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

export const systemClock: Clock = { now: () => new Date(), sleep: pause };
