/** Dates as day numbers: the days since 1 January 1970. */
export const dayMs = 86_400_000;

export interface CivilDate {
  readonly year: number;
  /** From 1. */
  readonly month: number;
  readonly day: number;
}

export function dayNumber({ year, month, day }: CivilDate): number {
  return new Date(0).setUTCFullYear(year, month - 1, day) / dayMs;
}

/** `undefined` for a date that doesn't exist, such as 30 February. */
export function realDay(date: CivilDate): number | undefined {
  const day = dayNumber(date);
  const { year, month, day: ofMonth } = dateOf(day);
  return year === date.year && month === date.month && ofMonth === date.day ? day : undefined;
}

export function dateOf(day: number): CivilDate {
  const date = new Date(day * dayMs);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

/** 0 for Monday to 6 for Sunday. */
export function weekdayOf(day: number): number {
  return modulo(day + 3, 7);
}

export function modulo(value: number, by: number): number {
  return ((value % by) + by) % by;
}

/** The first day of the week that contains this day, if weeks begin on `weekStart`. */
export function weekOf(day: number, weekStart: number): number {
  return day - modulo(weekdayOf(day) - weekStart, 7);
}

/** The first day of a year's first week: the first week with at least four days in that year. */
export function firstWeekOf(year: number, weekStart: number): number {
  return weekOf(dayNumber({ year, month: 1, day: 4 }), weekStart);
}
