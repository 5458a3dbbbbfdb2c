import { type Clock, systemClock } from '@shiplog/client';

/** The start and speed of a clock. Processes with the same values have the same time. */
export interface Haste {
  /** The time (epoch ms) at which the clock equals the machine's clock. */
  readonly fromMs: number;
  /** The factor by which the clock is faster than the machine's clock. */
  readonly factor: number;
}

/**
 * An accelerated clock, with which an hour of polling takes a minute. Calls to other programs take their normal time.
 */
export function hurriedClock({ fromMs, factor }: Haste): Clock {
  return {
    now: () => new Date(fromMs + (Date.now() - fromMs) * factor),
    sleep: (ms, signal) => systemClock.sleep(ms / factor, signal),
  };
}
