import type { Reporter } from '@shiplog/contract';

const minuteMs = 60_000;
const hourMinutes = 60;
/** As many as make an emitter silent after a day (questions.md 10.2). */
const intervalsMin = 5;

/**
 * How many of its usual intervals an emitter has been quiet for, where these are more than five and more than an hour;
 * `undefined` otherwise. The service says silent only after a day, which is late for an emitter of every minute. Under an
 * hour, one that posts in bursts would be quiet after each of them.
 */
export function quietIntervals(
  { last_at, usual_interval_minutes: usual }: Reporter,
  nowMs: number,
): number | undefined {
  const minutes = (nowMs - Date.parse(last_at)) / minuteMs;
  if (usual === null || minutes <= hourMinutes || minutes <= intervalsMin * usual) return undefined;
  return usual === 0 ? undefined : Math.round(minutes / usual);
}

/** How an emitter is marked; nothing where it posts as usual. */
export function silenceOf(emitter: Reporter, nowMs: number): 'silent' | 'quiet' | undefined {
  if (emitter.silent) return 'silent';
  return quietIntervals(emitter, nowMs) === undefined ? undefined : 'quiet';
}
