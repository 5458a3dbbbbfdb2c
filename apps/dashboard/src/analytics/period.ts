import type { AnalyticsWindow } from '@shiplog/contract';
import type { FiguresState } from '../state/address/figures.ts';
import { dayLabel, minuteLabel } from './span.ts';

const dayMs = 86_400_000;
const minuteMs = 60_000;
/** How far the page's clock may lag: it ticks every 5 s, and its offset from the service's clock is measured. */
const clockBehindMs = 10_000;

export type PeriodQuery = { readonly window: string } | { readonly from: string; readonly to: string };

/** A period that includes today ends with the current minute. */
export function periodQuery(
  { window, soFar, days }: Pick<FiguresState, 'window' | 'soFar' | 'days'>,
  nowMs: number,
): PeriodQuery {
  const today = Math.floor(nowMs / dayMs) * dayMs;
  const endOfMinute = Math.floor((nowMs + clockBehindMs) / minuteMs) * minuteMs + minuteMs;
  const endOfNow = Math.min(endOfMinute, today + dayMs);
  if (days) {
    const end = Math.min(Date.parse(days.to) + dayMs, endOfNow);
    return { from: instant(Date.parse(days.from)), to: instant(end) };
  }
  if (!soFar) return { window };
  const from = today - (Number.parseInt(window, 10) - 1) * dayMs;
  return { from: instant(from), to: instant(endOfNow) };
}

/** The same number of days before a period; `undefined` if the service may have pruned events of these days. */
export function daysBefore(window: AnalyticsWindow, nowMs: number): { from: string; to: string } | undefined {
  const [from, to] = [Date.parse(window.from), Date.parse(window.to)];
  const start = from - Math.ceil((to - from) / dayMs) * dayMs;
  return start < floorOf(window, nowMs) ? undefined : { from: instant(start), to: instant(from) };
}

/** The previous period of equal length, to compare the four keys; `undefined` if its events may have been pruned. */
export function periodBefore(window: AnalyticsWindow, nowMs: number): AnalyticsWindow | undefined {
  const [from, to] = [Date.parse(window.from), Date.parse(window.to)];
  const start = from - (to - from);
  return start < floorOf(window, nowMs) ? undefined : { ...window, from: instant(start), to: instant(from) };
}

/** The time before which events may have been pruned. */
function floorOf({ clamped, retention_days }: AnalyticsWindow, nowMs: number): number {
  return clamped ? Number.POSITIVE_INFINITY : Math.floor(nowMs / dayMs) * dayMs - retention_days * dayMs;
}

/** "22 Oct to 14:32 UTC today": the first and last day, or the minute if an end isn't midnight. */
export function periodWords({ from, to }: AnalyticsWindow, nowMs: number): string {
  const begin = isMidnight(from) ? dayLabel(from) : `${minuteLabel(from)} UTC`;
  if (isMidnight(to)) {
    const last = dayLabel(instant(Date.parse(to) - 1));
    return last === begin ? last : `${begin} to ${last}`;
  }
  return isSameDay(Date.parse(to), nowMs)
    ? `${begin} to ${minuteLabel(to).slice(-5)} UTC today`
    : `${begin} to ${minuteLabel(to)} UTC`;
}

/** "7 days", "30 days, today so far", "3 May to 9 May". */
export function periodName({ window, soFar, days }: Pick<FiguresState, 'window' | 'soFar' | 'days'>): string {
  if (days) return days.from === days.to ? dayLabel(days.from) : `${dayLabel(days.from)} to ${dayLabel(days.to)}`;
  return `${Number.parseInt(window, 10)} days${soFar ? ', today so far' : ''}`;
}

/** The partial last day of a period; `undefined` if the period ends at midnight. */
export function partialDay({ to }: AnalyticsWindow, nowMs: number): { date: string; name: string } | undefined {
  if (isMidnight(to)) return undefined;
  const date = new Date(to).toISOString().slice(0, 10);
  return { date, name: isSameDay(Date.parse(to), nowMs) ? 'today so far' : `until ${minuteLabel(to).slice(-5)}` };
}

function isMidnight(time: string): boolean {
  return Date.parse(time) % dayMs === 0;
}

function isSameDay(oneMs: number, otherMs: number): boolean {
  return Math.floor(oneMs / dayMs) === Math.floor(otherMs / dayMs);
}

function instant(ms: number): string {
  return new Date(ms).toISOString();
}
