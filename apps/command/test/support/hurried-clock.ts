import type { Clock } from '@shiplog/client';

/** Longer than any wait between two attempts. */
const longMs = 3_600_000;

/** How long a call may take by this clock: it never passes. */
export const forever = ['--timeout', '1h'] as const;

/** Waits between attempts are over at once; `forever`, the time of a whole call, never is. */
export const hurriedClock: Clock = {
  now: () => new Date(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (ms < longMs) setImmediate(resolve);
      else signal.addEventListener('abort', () => resolve(), { once: true });
    }),
};
