import { pluralize } from './pluralize.ts';

const units = [
  { seconds: 86_400, short: 'd', long: 'day' },
  { seconds: 3600, short: 'h', long: 'hour' },
  { seconds: 60, short: 'min', long: 'minute' },
  { seconds: 1, short: 's', long: 'second' },
] as const;

/** The maximum expected difference between the clocks of two machines. */
const clockToleranceMs = 60_000;

/** Whether a time is in the future by more than clocks may differ. */
export function isInFuture(instantMs: number, nowMs: number): boolean {
  return instantMs - nowMs > clockToleranceMs;
}

/**
 * A duration in its largest unit; `undefined` below five seconds. Ages are rounded down; times in the future are
 * rounded to the nearest value.
 */
function measured(instantMs: number, nowMs: number) {
  const inFuture = isInFuture(instantMs, nowMs);
  const seconds = inFuture ? 60 * Math.round((instantMs - nowMs) / 60_000) : Math.round((nowMs - instantMs) / 1000);
  if (seconds < 5) return undefined;
  const unit = units.find((each) => seconds >= each.seconds) ?? units[3];
  const count = seconds / unit.seconds;
  return { inFuture, unit, count: inFuture ? Math.round(count) : Math.floor(count) };
}

/**
 * An age as a number with a unit: "3 h", "12 min"; "now" below five seconds; for a time in the future "dated 3 h
 * ahead".
 */
export function ageOf(instantMs: number, nowMs: number): string {
  const span = measured(instantMs, nowMs);
  if (!span) return 'now';
  const text = `${span.count} ${span.unit.short}`;
  return span.inFuture ? `dated ${text} ahead` : text;
}

/** An age in words: "3 hours ago", "just now", "dated 3 hours ahead". */
export function longAgeOf(instantMs: number, nowMs: number): string {
  const span = measured(instantMs, nowMs);
  if (!span) return 'just now';
  const text = pluralize(span.count, span.unit.long);
  return span.inFuture ? `dated ${text} ahead` : `${text} ago`;
}
