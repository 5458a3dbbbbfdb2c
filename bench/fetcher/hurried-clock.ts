import { type Clock, systemClock } from '@shiplog/client';

/** The start and the speed of a clock; processes that share them share their time. */
export interface Haste {
  /** Epoch ms at which the clock shows the machine's time. */
  readonly fromMs: number;
  /** The factor by which the clock is faster than the machine's time. */
  readonly factor: number;
}

/** An accelerated clock: an hour of polling takes a minute. Calls to other programs take their normal time. */
export function hurriedClock({ fromMs, factor }: Haste): Clock {
  return {
    now: () => new Date(fromMs + (Date.now() - fromMs) * factor),
    sleep: (ms, signal) => systemClock.sleep(ms / factor, signal),
  };
}
