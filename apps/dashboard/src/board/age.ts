import { counted } from './counted.ts';

const units = [
  { seconds: 86_400, short: 'd', long: 'day' },
  { seconds: 3600, short: 'h', long: 'hour' },
  { seconds: 60, short: 'min', long: 'minute' },
  { seconds: 1, short: 's', long: 'second' },
] as const;

const halfDayMs = 43_200_000;
/** Clocks of machines differ by so much without anybody being wrong. */
const clockToleranceMs = 60_000;

/** Whether an instant lies in the future, by more than clocks differ. */
export function isAhead(instantMs: number, nowMs: number): boolean {
  return instantMs - nowMs > clockToleranceMs;
}

/** A span in its largest unit; `undefined` where it is about nothing. What is to come is rounded, an age is not. */
function measured(instantMs: number, nowMs: number) {
  const ahead = isAhead(instantMs, nowMs);
  const seconds = ahead ? 60 * Math.round((instantMs - nowMs) / 60_000) : Math.round((nowMs - instantMs) / 1000);
  if (seconds < 5) return undefined;
  const unit = units.find((each) => seconds >= each.seconds) ?? units[3];
  const count = seconds / unit.seconds;
  return { ahead, unit, count: ahead ? Math.round(count) : Math.floor(count) };
}

/** An age as one number: "3 h", "12 min"; under five seconds "now"; of an instant in the future "dated 3 h ahead". */
export function ageOf(instantMs: number, nowMs: number): string {
  const span = measured(instantMs, nowMs);
  if (!span) return 'now';
  const text = `${span.count} ${span.unit.short}`;
  return span.ahead ? `dated ${text} ahead` : text;
}

/** The same for a sentence: "3 hours ago", "just now", "dated 3 hours ahead". */
export function longAgeOf(instantMs: number, nowMs: number): string {
  const span = measured(instantMs, nowMs);
  if (!span) return 'just now';
  const text = counted(span.count, span.unit.long);
  return span.ahead ? `dated ${text} ahead` : `${text} ago`;
}

/** An instant as the clock on the wall had it: "14:26", and where that would be taken for another one "19 Nov". */
export function clockTime(instantMs: number, nowMs: number): string {
  const instant = new Date(instantMs);
  return Math.abs(nowMs - instantMs) < halfDayMs
    ? instant.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })
    : instant.toLocaleDateString('en-GB', { day: 'numeric', month: 'short' });
}

/** An instant to the second, in UTC: "2026-05-04 09:12:02 UTC"; a text that is none stands as it is. */
export function inUtc(instant: string): string {
  const ms = Date.parse(instant);
  return Number.isNaN(ms) ? instant : `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}
