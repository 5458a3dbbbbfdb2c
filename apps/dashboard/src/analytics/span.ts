import type { AnalyticsWindow } from '@shiplog/contract';
import { pluralize } from '@shiplog/text';

const dayMs = 86_400_000;
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
/** Indexed by the service's weekday number: 0 is Sunday. */
const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
export const weekOrder: readonly number[] = [1, 2, 3, 4, 5, 6, 0];

/** `since` is inclusive, `until` exclusive. */
export interface Interval {
  readonly since: string;
  readonly until: string;
}

/** The UTC day of a date or time: "3 May". */
export function dayLabel(date: string): string {
  const day = new Date(date);
  return `${day.getUTCDate()} ${months[day.getUTCMonth()]}`;
}

/** A time in UTC: "3 May 09:12". */
export function minuteLabel(instant: string): string {
  return `${dayLabel(instant)} ${clockLabel(instant)}`;
}

export function hourLabel(hour: number): string {
  return `${String(hour).padStart(2, '0')}:00`;
}

export function weekdayLabel(day: number): string {
  return weekdays[day] ?? '';
}

function clockLabel(instant: string): string {
  return new Date(instant).toISOString().slice(11, 16);
}

/** Explains why the service shortened the period; `undefined` if it didn't. */
export function clampedSentence({ clamped, days, retention_days }: AnalyticsWindow): string | undefined {
  if (!clamped) return undefined;
  return `Shortened to ${pluralize(days, 'day')}: the service keeps its log for ${pluralize(retention_days, 'day')}.`;
}

/** Says which part of the period the log covers; `undefined` if it covers the whole period. */
export function coveredSentence({ days, covered_from, covered_days }: AnalyticsWindow): string | undefined {
  if (covered_from === undefined || covered_days === undefined || covered_days === days) return undefined;
  return `The log begins ${dayLabel(covered_from)}: it covers ${covered_days} of ${days} days.`;
}

export function windowInterval({ from, to }: AnalyticsWindow): Interval {
  return { since: from, until: to };
}

/** The part of a UTC day within the window, which may begin and end at any hour. */
export function dayInterval(date: string, { from, to }: AnalyticsWindow): Interval {
  const start = Date.parse(date);
  const since = Math.max(start, Date.parse(from));
  const until = Math.min(start + dayMs, Date.parse(to));
  return { since: new Date(since).toISOString(), until: new Date(until).toISOString() };
}

/** One date for each UTC day in the window (readings 5.4). */
export function datesFrom({ from }: AnalyticsWindow, count: number): string[] {
  const first = Date.parse(new Date(from).toISOString().slice(0, 10));
  return Array.from({ length: count }, (_, index) => new Date(first + index * dayMs).toISOString().slice(0, 10));
}

/** The position of a time range in the window, as shares of its width; the range is cut at the edges. */
export function timeRangeIn(
  { from, to }: AnalyticsWindow,
  start: string,
  end: string | null,
): { readonly left: number; readonly width: number } {
  const [fromMs, toMs] = [Date.parse(from), Date.parse(to)];
  const share = (ms: number) => (Math.min(Math.max(ms, fromMs), toMs) - fromMs) / (toMs - fromMs || 1);
  const left = share(Date.parse(start));
  return { left, width: (end === null ? 1 : share(Date.parse(end))) - left };
}
