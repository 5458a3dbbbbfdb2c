interface BackoffBounds {
  readonly minMs: number;
  readonly maxMs: number;
  /** Returns a number from 0 to 1, for the jitter. */
  readonly random?: () => number;
}

/** The wait after a number of failures. It doubles each time, with jitter so that clients don't all return at once. */
export function backoffMs(failures: number, { minMs, maxMs, random = Math.random }: BackoffBounds): number {
  const ceilingMs = Math.min(maxMs, minMs * 2 ** failures);
  return Math.round(Math.max(minMs, ceilingMs * (0.5 + random() / 2)));
}
