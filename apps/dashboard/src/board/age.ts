import { pluralize } from './pluralize.ts';

const units = [
  { seconds: 86_400, short: 'd', long: 'day' },
  { seconds: 3600, short: 'h', long: 'hour' },
  { seconds: 60, short: 'min', long: 'minute' },
  { seconds: 1, short: 's', long: 'second' },
] as const;

const halfDayMs = 43_200_000;
/** Clocks of machines may differ by so much. */
const clockToleranceMs = 60_000;

/** Whether an instant lies in the future by more than clocks may differ. */
export function isInFuture(instantMs: number, nowMs: number): boolean {
  return instantMs - nowMs > clockToleranceMs;
}

/** A time span in its largest unit; `undefined` if it is below five seconds. A time to come is rounded, an age is cut. */
function measured(instantMs: number, nowMs: number) {
  const ahead = isInFuture(instantMs, nowMs);
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
  const text = pluralize(span.count, span.unit.long);
  return span.ahead ? `dated ${text} ahead` : `${text} ago`;
}

/** The local time of an instant: "14:26", or "19 Nov" if it is more than half a day away. */
export function clockTime(instantMs: number, nowMs: number): string {
  const instant = new Date(instantMs);
  return Math.abs(nowMs - instantMs) < halfDayMs
    ? instant.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })
    : instant.toLocaleDateString('en-GB', { day: 'numeric', month: 'short' });
}

/** An instant to the second in the viewer's zone, which it names: "4 May 2026, 11:12:02 CEST". A text that is no instant is returned as it is. */
export function inZone(instant: string): string {
  const ms = Date.parse(instant);
  if (Number.isNaN(ms)) return instant;
  const day = { day: 'numeric', month: 'short', year: 'numeric' } as const;
  const time = { hour: '2-digit', minute: '2-digit', second: '2-digit', timeZoneName: 'short' } as const;
  return new Date(ms).toLocaleString('en-GB', { ...day, ...time });
}

/** An instant to the second, in UTC: "2026-05-04 09:12:02 UTC". A text that is no instant is returned as it is. */
export function inUtc(instant: string): string {
  const ms = Date.parse(instant);
  return Number.isNaN(ms) ? instant : `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}
