import type { Reporter } from '@shiplog/contract';

const minuteMs = 60_000;
const hourMinutes = 60;
/** The service calls a reporter silent after this many intervals and a day (questions.md 10.2). */
export const intervalsMin = 5;

/**
 * The number of usual intervals since the last row; `undefined` unless it is more than five and an hour has passed. The
 * service reports silence only after a day, which is too late for a reporter that posts every minute. Without the
 * minimum of an hour, a reporter that posts in bursts would count as quiet after each burst.
 */
export function quietIntervals(
  { last_at, usual_interval_minutes: usual }: Reporter,
  nowMs: number,
): number | undefined {
  const minutes = (nowMs - Date.parse(last_at)) / minuteMs;
  if (usual === null || minutes <= hourMinutes || minutes <= intervalsMin * usual) return undefined;
  return usual === 0 ? undefined : Math.round(minutes / usual);
}

/** Whether a reporter is silent or quiet; `undefined` while it posts as usual. */
export function silenceOf(reporter: Reporter, nowMs: number): 'silent' | 'quiet' | undefined {
  if (reporter.silent) return 'silent';
  return quietIntervals(reporter, nowMs) === undefined ? undefined : 'quiet';
}
