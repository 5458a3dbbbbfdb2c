import type { AnalyticsWindow } from '@shiplog/contract';
import { isStartOfDay, startOf } from '../range/calendar.ts';
import { calendarUnit, longestMs, type Range, type RangeName, shifted, spanOf } from '../range/range.ts';

export const dayMs = 86_400_000;
export const defaultRange: Range = { name: '30d' };
/** The ranges of the toolbar. */
export const periodNames = ['7d', '30d', 'this-month', 'last-month', 'last-quarter'] as const satisfies RangeName[];

export interface Period {
  readonly from: string;
  readonly to: string;
}

/** The UTC days of a range. Today ends with the current minute; "last 7 days" includes today and six whole days. */
export function periodOf(range: Range, nowMs: number): Period {
  const { fromMs, toMs } = spanOf(range, nowMs, 'utc');
  const today = startOf('day', nowMs, 0, 'utc');
  const endOfToday = Math.min(spanOf({ name: 'today' }, nowMs, 'utc').toMs, today + dayMs);
  const isWhole = range.name === undefined || isStartOfDay(fromMs, 'utc');
  const lastDay = Math.min(startOf('day', toMs - 1, 0, 'utc'), today);
  const to = Math.min(lastDay + dayMs, endOfToday);
  const from = Math.max(Math.min(startOf('day', fromMs, isWhole ? 0 : 1, 'utc'), lastDay), to - longestMs);
  return { from: instant(from), to: instant(to) };
}

/** The unit of a month or a quarter, which is compared with the one before it, although its length differs. */
export function comparedUnit(range: Range, nowMs: number): 'month' | 'quarter' | undefined {
  const unit = calendarUnit(range, nowMs, 'utc');
  return unit === 'day' ? undefined : unit;
}

/**
 * The month or quarter before a range, or the same number of whole days before it; `undefined` if the service may have
 * pruned events of these days.
 */
export function periodBefore(range: Range, window: AnalyticsWindow, nowMs: number): Period | undefined {
  const [from, to] = [Date.parse(window.from), Date.parse(window.to)];
  const days = { from: instant(from - Math.ceil((to - from) / dayMs) * dayMs), to: instant(from) };
  const unitBefore = comparedUnit(range, nowMs) ? shifted(range, -1, nowMs, 'utc') : undefined;
  const before = unitBefore ? periodOf(unitBefore, nowMs) : days;
  const keptFrom = startOf('day', nowMs, 0, 'utc') - window.retention_days * dayMs;
  return window.clamped || Date.parse(before.from) < keptFrom ? undefined : before;
}

/** When the log begins, if that is within the period. */
export function logBegin({ from, covered_from }: AnalyticsWindow): string | undefined {
  return covered_from !== undefined && Date.parse(covered_from) > Date.parse(from) ? covered_from : undefined;
}

/** The UTC dates that a period covers only in part: the day on which the log begins, and a day that isn't over. */
export function partialDates(window: AnalyticsWindow): ReadonlySet<string> {
  const ends = [logBegin(window) ?? window.from, window.to];
  return new Set(ends.flatMap((time) => (isStartOfDay(Date.parse(time), 'utc') ? [] : dateOf(Date.parse(time)))));
}

/** One date for each UTC day in the period (readings 5.4). */
export function datesFrom({ from }: AnalyticsWindow, count: number): string[] {
  return Array.from({ length: count }, (_, index) => dateOf(startOf('day', Date.parse(from), index, 'utc')));
}

/** "22 Oct – now", "1 Oct – 31 Oct". */
export function periodText({ from, to }: Period, nowMs: number): string {
  const isLive = Date.parse(to) > startOf('day', nowMs, 0, 'utc');
  const last = dayLabel(instant(Date.parse(to) - 1));
  if (isLive) return `${dayLabel(from)} – now`;
  return dayLabel(from) === last ? last : `${dayLabel(from)} – ${last}`;
}

/** "since 26 Oct 14:10 UTC, when the log begins: 24.9 of 30 days are covered", "from 1 Oct to 31 Oct". */
export function coverageText(window: AnalyticsWindow, nowMs: number): string {
  const begin = logBegin(window);
  if (begin !== undefined) {
    const covered = Math.max(0, Date.parse(window.to) - Date.parse(begin)) / dayMs;
    const days = covered.toLocaleString('en', { maximumFractionDigits: 1 });
    return `since ${minuteLabel(begin)} UTC, when the log begins: ${days} of ${window.days} days are covered`;
  }
  const isWhole = isStartOfDay(Date.parse(window.to), 'utc');
  if (isWhole) return `from ${dayLabel(window.from)} to ${dayLabel(instant(Date.parse(window.to) - 1))}`;
  const isToday = dateOf(Date.parse(window.to)) === dateOf(nowMs);
  return `from ${dayLabel(window.from)} to ${isToday ? `today ${minuteLabel(window.to).slice(-5)}` : minuteLabel(window.to)} UTC`;
}

/** The part of a UTC day within the period. */
export function dayInterval(date: string, window: AnalyticsWindow): Period {
  const start = Date.parse(date);
  return {
    from: instant(Math.max(start, Date.parse(window.from))),
    to: instant(Math.min(start + dayMs, Date.parse(window.to))),
  };
}

/** The UTC day of a date or time: "3 May". */
export function dayLabel(date: string): string {
  return new Date(date).toLocaleDateString('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
}

/** A time in UTC: "3 May 09:12". */
export function minuteLabel(time: string): string {
  return `${dayLabel(time)} ${new Date(time).toISOString().slice(11, 16)}`;
}

function dateOf(ms: number): string {
  return instant(ms).slice(0, 10);
}

function instant(ms: number): string {
  return new Date(ms).toISOString();
}
