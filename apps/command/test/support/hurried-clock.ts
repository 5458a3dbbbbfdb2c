import type { Clock } from '@shiplog/client';

/** Longer than any wait between two attempts. */
const longMs = 3_600_000;

/** A timeout that never expires on this clock. */
export const forever = ['--timeout', '1h'] as const;

/** A clock on which delays between attempts end at once and the timeout `forever` never expires. */
export const hurriedClock: Clock = {
  now: () => new Date(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (ms < longMs) setImmediate(resolve);
      else signal.addEventListener('abort', () => resolve(), { once: true });
    }),
};
