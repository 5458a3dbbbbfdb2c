import { type FieldError, instantKey, parseMoment } from '@shiplog/contract';
import { analyticsWindow, dayMs, instant, type RequestTime, type Window } from './analytics-window.ts';
import { instantOfMicros, lengthFault, microsOf } from './micros.ts';

/** The time parameters of a request. */
export interface PeriodQuestion {
  readonly window?: string | readonly string[] | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** The requested window or period, or the error in the request (questions.md 3 and 12.1). */
export function requestedWindow(
  question: PeriodQuestion,
  at: RequestTime,
): { readonly window: Window } | { readonly faults: readonly FieldError[] } {
  const { window, from, to } = question;
  if (from === undefined && to === undefined) return { window: analyticsWindow(window, at) };
  const faults: FieldError[] = [];
  const fault = (pointer: string, message: string) => void faults.push({ pointer, message });
  if (window !== undefined) fault('/window', "can't be combined with from and to");
  if (from === undefined) fault('/from', 'is required if `to` is set');
  if (to === undefined) fault('/to', 'is required if `from` is set');
  const period =
    from === undefined || to === undefined ? undefined : { fromInstant: utcOf(from), toInstant: utcOf(to) };
  if (period) faults.push(...periodFaults(period, at));
  return period && faults.length === 0 ? { window: periodWindow(period, at) } : { faults };
}

type Period = Pick<Window, 'fromInstant' | 'toInstant'>;

function periodFaults({ fromInstant: from, toInstant: to }: Period, at: RequestTime): FieldError[] {
  const { limit, floor } = boundsOf(at);
  const faults: FieldError[] = [];
  if (microsOf(to) > limit * 1000) {
    faults.push({ pointer: '/to', message: `must not be after ${instant(limit)}, the end of the current day` });
  }
  const begin = (message: string) => void faults.push({ pointer: '/from', message });
  const length = lengthFault(from, to);
  if (length !== undefined) begin(length);
  else if (microsOf(to) <= floor * 1000) {
    begin(`starts a period that is entirely before the retention period; the log goes back to ${instant(floor)}`);
  }
  return faults;
}

function periodWindow({ fromInstant: from, toInstant: to }: Period, at: RequestTime): Window {
  const { floor } = boundsOf(at);
  const clamped = microsOf(from) < floor * 1000;
  const fromInstant = clamped ? instant(floor) : from;
  return windowBetween(fromInstant, to, { clamped, retentionDays: at.retentionDays });
}

/** The UTC days that a period overlaps. The first half of the days is the prior half (12.3). */
function windowBetween(
  fromInstant: string,
  toInstant: string,
  bounds: Pick<Window, 'clamped' | 'retentionDays'>,
): Window {
  const from = Math.floor(Number(microsOf(fromInstant)) / 1000);
  const to = Math.ceil(Number(microsOf(toInstant)) / 1000);
  const firstDay = Math.floor(from / dayMs);
  const days = Math.ceil(to / dayMs) - firstDay;
  const priorDays = Math.floor(days / 2);
  const middle = (firstDay + priorDays) * dayMs;
  return { days, from, to, fromInstant, toInstant, middle, priorDays, currentDays: days - priorDays, ...bounds };
}

/** The preceding window of the same length, with its own days; `undefined` if rows in it may have been pruned. */
export function previousWindow(window: Window, question: PeriodQuestion, at: RequestTime): Window | undefined {
  const lengthMicros = microsOf(window.toInstant) - microsOf(window.fromInstant);
  const beginsAt = microsOf(window.fromInstant) - lengthMicros;
  if (beginsAt < boundsOf(at).floor * 1000) return undefined;
  const { retentionDays, fromInstant } = window;
  const previous = windowBetween(instantOfMicros(beginsAt), fromInstant, { clamped: false, retentionDays });
  // For a named window, use its own number of days, not the number of UTC days that it overlaps.
  return question.from === undefined ? { ...previous, days: window.days } : previous;
}

/** The part of a period that the log covers (questions.md 3.3). */
interface Coverage {
  readonly from: string;
  /** The number of UTC days in the period from `covered_from`. */
  readonly days: number;
}

/** @param begin the `happened_at` of the oldest row in the log; `null` for an empty log. */
export function coverageOf({ fromInstant, toInstant, to }: Window, begin: string | null): Coverage {
  const from = begin !== null && instantKey(begin) > instantKey(fromInstant) ? begin : fromInstant;
  const isOver = instantKey(from) >= instantKey(toInstant);
  return { from, days: isOver ? 0 : Math.ceil(to / dayMs) - Math.floor(Number(microsOf(from)) / 1000 / dayMs) };
}

/** The end of the current UTC day, and the first moment within the retention. */
function boundsOf({ now, retentionDays }: RequestTime): { readonly limit: number; readonly floor: number } {
  const today = Math.floor(now / dayMs) * dayMs;
  return { limit: today + dayMs, floor: today - retentionDays * dayMs };
}

function utcOf(moment: string): string {
  return parseMoment(moment) ?? moment;
}
