import { type Clock, systemClock } from '@shiplog/client';

/** A beginning, and how fast time goes by from then on; processes that share it share their time. */
export interface Haste {
  /** Epoch ms at which the clock shows the machine's time. */
  readonly fromMs: number;
  /** So many times as fast as the machine's time. */
  readonly factor: number;
}

/** Time that goes by faster, so that an hour of polling takes a minute. What is waited for of others takes as long as ever. */
export function hurriedClock({ fromMs, factor }: Haste): Clock {
  return {
    now: () => new Date(fromMs + (Date.now() - fromMs) * factor),
    sleep: (ms, signal) => systemClock.sleep(ms / factor, signal),
  };
}
