import { counted } from './counted.ts';

const units = [
  { seconds: 86_400, short: 'd', long: 'day' },
  { seconds: 3600, short: 'h', long: 'hour' },
  { seconds: 60, short: 'min', long: 'minute' },
  { seconds: 1, short: 's', long: 'second' },
] as const;

function measured(ms: number) {
  const seconds = Math.round(Math.abs(ms) / 1000);
  const unit = units.find((each) => seconds >= each.seconds) ?? units[3];
  return { seconds, unit, count: Math.floor(seconds / unit.seconds) };
}

/** A span as one number: "3 h", "12 min"; under five seconds "now"; what is to come, with "in". */
export function ageOf(instantMs: number, nowMs: number): string {
  const { seconds, unit, count } = measured(nowMs - instantMs);
  if (seconds < 5) return 'now';
  return `${instantMs > nowMs ? 'in ' : ''}${count} ${unit.short}`;
}

/** The same for a sentence: "3 hours ago", "just now". */
export function ageInWords(instantMs: number, nowMs: number): string {
  const { seconds, unit, count } = measured(nowMs - instantMs);
  if (seconds < 5) return 'just now';
  const span = counted(count, unit.long);
  return instantMs > nowMs ? `in ${span}` : `${span} ago`;
}

/** An instant to the second, in UTC: "2026-05-04 09:12:02 UTC"; a text that is none stands as it is. */
export function inUtc(instant: string): string {
  const ms = Date.parse(instant);
  return Number.isNaN(ms) ? instant : `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}
