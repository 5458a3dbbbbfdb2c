import type { CalendarBudget } from './calendar-fault.ts';
import { dateOf, dayMs, dayNumber, firstWeekOf, modulo, realDay, weekdayOf, weekOf } from './civil.ts';
import type { Rule, RuleDay } from './rule.ts';

export interface Recurrence {
  readonly rule: Rule;
  /** The wall clock time of the first instance. */
  readonly startMs: number;
  /** The wall clock time of the last possible instance. */
  readonly untilMs: number;
  readonly budget: CalendarBudget;
}

/** The range of wall clock times that a caller needs; both ends are inclusive. */
export interface WallWindow {
  readonly fromMs: number;
  readonly toMs: number;
}

/**
 * The wall clock times at which a rule's instances begin, in order, from the window's start to its end. The event's own
 * start counts as the first instance, even if it doesn't match the rule (RFC 5545 §3.8.5.3).
 *
 * Without COUNT, it skips straight to the window. With COUNT, all instances before the window are counted. @throws
 * CalendarFault if the budget is used up.
 */
export function* instancesOf(recurrence: Recurrence, window: WallWindow): Generator<number, void, undefined> {
  const { rule, startMs, untilMs, budget } = recurrence;
  const lastMs = Math.min(untilMs, window.toMs);
  let left = rule.count ?? Number.POSITIVE_INFINITY;
  if (startMs <= window.toMs && startMs >= window.fromMs) yield startMs;
  left -= 1;
  const periods = periodsOf(rule, startMs);
  const times = timesOf(rule, startMs);
  budget.spend(times.length);
  for (let turn = rule.count === undefined ? periods.turnAt(window.fromMs) : 0; left > 0; turn += 1) {
    budget.spend(1);
    // Also ends at dates that are too far ahead for a number.
    if (!(periods.beginOf(turn) * dayMs <= lastMs)) return;
    const days = daysIn(rule, periods, turn, startMs, budget);
    budget.spend(days.length * times.length);
    for (const wallMs of positioned(rule, days, times)) {
      if (wallMs <= startMs) continue;
      if (wallMs > lastMs || left <= 0) return;
      left -= 1;
      if (wallMs >= window.fromMs) yield wallMs;
    }
  }
}

/** The periods of a rule: its days, weeks, months or years, without those that the interval skips. */
interface Periods {
  /** The first day of a period. */
  beginOf(turn: number): number;
  endOf(turn: number): number;
  /** A turn whose period begins no later than the given wall clock time; at least 0. */
  turnAt(wallMs: number): number;
}

function periodsOf({ frequency, interval, weekStart }: Rule, startMs: number): Periods {
  const first = Math.floor(startMs / dayMs);
  const { year, month } = dateOf(first);
  const day = (wallMs: number) => Math.floor(wallMs / dayMs);
  // One period earlier, because a year's first week can begin in the previous year.
  const turnOf = (passed: number) => Math.max(0, Math.floor(passed / interval) - 1);
  if (frequency === 'DAILY' || frequency === 'WEEKLY') {
    const length = frequency === 'DAILY' ? 1 : 7;
    const begin = frequency === 'DAILY' ? first : weekOf(first, weekStart);
    const beginOf = (turn: number) => begin + turn * interval * length;
    return {
      beginOf,
      endOf: (turn) => beginOf(turn) + length,
      turnAt: (wallMs) => turnOf((day(wallMs) - begin) / length),
    };
  }
  const length = frequency === 'MONTHLY' ? 1 : 12;
  const begin = frequency === 'MONTHLY' ? year * 12 + month - 1 : year * 12;
  const dayOfMonths = (months: number) =>
    dayNumber({ year: Math.floor(months / 12), month: modulo(months, 12) + 1, day: 1 });
  return {
    beginOf: (turn) => dayOfMonths(begin + turn * interval * length),
    endOf: (turn) => dayOfMonths(begin + turn * interval * length + length),
    turnAt: (wallMs) => {
      const at = dateOf(day(wallMs));
      return turnOf((at.year * 12 + at.month - 1 - begin) / length);
    },
  };
}

/** The days of one period that the rule selects, in order. */
function daysIn(rule: Rule, periods: Periods, turn: number, startMs: number, budget: CalendarBudget): number[] {
  const [begin, end] = [periods.beginOf(turn), periods.endOf(turn)];
  const plain = plainDay(rule, begin, startMs);
  if (plain !== undefined) return plain === null ? [] : [plain];
  budget.spend(end - begin);
  const fits = dayTest(rule, startMs);
  return Array.from({ length: end - begin }, (_, index) => begin + index).filter(fits);
}

/** The only day of a rule without BY parts for days; null if it isn't in the period; `undefined` for other rules. */
function plainDay({ frequency, months, weeks, yearDays, monthDays, days }: Rule, begin: number, startMs: number) {
  if ([months, weeks, yearDays, monthDays, days].some((list) => list.length > 0)) return undefined;
  const start = Math.floor(startMs / dayMs);
  if (frequency === 'DAILY') return begin;
  if (frequency === 'WEEKLY') return begin + modulo(start - begin, 7);
  const { day, month } = dateOf(start);
  const at = dateOf(begin);
  return realDay({ year: at.year, month: frequency === 'YEARLY' ? month : at.month, day }) ?? null;
}

/** Whether a day matches every BY part of the rule. Parts that the rule omits come from the event's start. */
function dayTest(rule: Rule, startMs: number): (day: number) => boolean {
  const { frequency, months, weeks, yearDays, weekStart } = rule;
  const start = Math.floor(startMs / dayMs);
  const isOpen = [weeks, yearDays, rule.monthDays, rule.days].every((list) => list.length === 0);
  const monthDays =
    isOpen && (frequency === 'MONTHLY' || frequency === 'YEARLY') ? [dateOf(start).day] : rule.monthDays;
  const needsWeekday =
    (isOpen && frequency === 'WEEKLY') || (weeks.length > 0 && rule.days.length + monthDays.length === 0);
  const days: readonly RuleDay[] = needsWeekday ? [{ weekday: weekdayOf(start), nth: 0 }] : rule.days;
  const weekdays = new Set(days.map(({ weekday }) => weekday));
  const countsInMonth = frequency === 'MONTHLY' || months.length > 0;
  const needsYear = yearDays.length > 0 || (!countsInMonth && days.some(({ nth }) => nth !== 0));
  const needsMonth = monthDays.length > 0 || (countsInMonth && days.some(({ nth }) => nth !== 0));
  // Dates take most of the time, so they are computed only where needed.
  return (day) => {
    if (days.length > 0 && !weekdays.has(weekdayOf(day))) return false;
    if (weeks.length > 0 && !isInWeeks(weeks, day, weekStart)) return false;
    if (months.length === 0 && !needsYear && !needsMonth) return true;
    const { year, month, day: ofMonth } = dateOf(day);
    if (months.length > 0 && !months.includes(month)) return false;
    const monthBegin = day - ofMonth + 1;
    const monthEnd = needsMonth ? dayNumber({ year, month: month + 1, day: 1 }) : day;
    if (!isListed(monthDays, day, monthBegin, monthEnd)) return false;
    const yearBegin = needsYear ? dayNumber({ year, month: 1, day: 1 }) : day;
    const yearEnd = needsYear ? dayNumber({ year: year + 1, month: 1, day: 1 }) : day;
    if (!isListed(yearDays, day, yearBegin, yearEnd)) return false;
    const [begin, end] = countsInMonth ? [monthBegin, monthEnd] : [yearBegin, yearEnd];
    return days.length === 0 || days.some((one) => isDay(one, day, begin, end));
  };
}

/** Whether a list is empty or contains a day's number in a period, counted from 1, or from -1 at the end. */
function isListed(list: readonly number[], day: number, begin: number, end: number): boolean {
  return list.length === 0 || list.includes(day - begin + 1) || list.includes(day - end);
}

function isDay({ weekday, nth }: RuleDay, day: number, begin: number, end: number): boolean {
  if (weekdayOf(day) !== weekday) return false;
  if (nth === 0) return true;
  return nth > 0 ? Math.floor((day - begin) / 7) + 1 === nth : Math.floor((end - 1 - day) / 7) + 1 === -nth;
}

function isInWeeks(weeks: readonly number[], day: number, weekStart: number): boolean {
  const { year } = dateOf(weekOf(day, weekStart) + 3);
  const [first, next] = [firstWeekOf(year, weekStart), firstWeekOf(year + 1, weekStart)];
  const week = Math.floor((day - first) / 7) + 1;
  return weeks.includes(week) || weeks.includes(week - 1 - (next - first) / 7);
}

/** The times of day of a rule's instances, in milliseconds and in order. */
function timesOf({ hours, minutes, seconds }: Rule, startMs: number): number[] {
  const start = new Date(startMs);
  const or = (list: readonly number[], own: number) => (list.length > 0 ? [...new Set(list)] : [own]);
  return or(hours, start.getUTCHours())
    .flatMap((hour) => or(minutes, start.getUTCMinutes()).map((minute) => hour * 60 + minute))
    .flatMap((minute) => or(seconds, start.getUTCSeconds()).map((second) => (minute * 60 + second) * 1000))
    .sort((one, other) => one - other);
}

/** The instances of one period that BYSETPOS selects; all of them without BYSETPOS. */
function positioned({ positions }: Rule, days: readonly number[], times: readonly number[]): number[] {
  const all = days.flatMap((day) => times.map((time) => day * dayMs + time));
  if (positions.length === 0) return all;
  return all.filter((_, index) => positions.includes(index + 1) || positions.includes(index - all.length));
}
