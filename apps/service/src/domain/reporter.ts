import type { Reporter } from '@shiplog/contract';

/** The rows of one reporter, latest first. */
export interface Arrivals {
  /** Null for rows without a reporter. */
  readonly reporter: string | null;
  readonly rows_24h: number;
  /** The arrival time of the first row. */
  readonly first_id: string;
  /** Arrival times in milliseconds since the Unix epoch. There is one more than the number of intervals to examine. */
  readonly arrivals: readonly number[];
  /** Minutes between `happened_at` and arrival, for each row. */
  readonly lags: readonly number[];
}

const minuteMs = 60_000;
const dayMinutes = 24 * 60;
const usualMin = 3;

/** How often a reporter posts and whether it has stopped (questions.md 10.1 and 12.10). */
export function reporterOf({ reporter, rows_24h, arrivals }: Arrivals, nowMs: number): Reporter {
  const [lastMs = 0] = arrivals;
  const intervals = arrivals.slice(1).map((earlier, at) => ((arrivals[at] ?? 0) - earlier) / minuteMs);
  const usual = usualOf(intervals);
  const age = (nowMs - lastMs) / minuteMs;
  return {
    reporter,
    rows_24h,
    last_at: new Date(lastMs).toISOString(),
    usual_interval_minutes: usual,
    silent: usual !== null && age > 5 * usual && age > dayMinutes,
  };
}

/** Whether the reporter's rows usually arrive within an hour. */
export function isPrompt({ lags }: Arrivals): boolean {
  const usual = usualOf(lags);
  return usual !== null && usual < 60;
}

/** The median; null if there are fewer than three values. */
function usualOf(values: readonly number[]): number | null {
  if (values.length < usualMin) return null;
  const sorted = values.toSorted((one, other) => one - other);
  const [below = 0, above = 0] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return (below + above) / 2;
}
