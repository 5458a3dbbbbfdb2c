import { CalendarFault } from './calendar-fault.ts';

export const frequencies = ['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'] as const;
export type Frequency = (typeof frequencies)[number];

/** A weekday from 0 for Monday; `nth` counts within the month or the year, from its end if negative; 0: every one. */
export interface RuleDay {
  readonly weekday: number;
  readonly nth: number;
}

/** A recurrence rule (RFC 5545 §3.3.10). An empty list means that the rule doesn't have this part. */
export interface Rule {
  readonly frequency: Frequency;
  readonly interval: number;
  readonly count: number | undefined;
  /** As written: a date or a date-time. */
  readonly until: string | undefined;
  readonly weekStart: number;
  readonly months: readonly number[];
  readonly weeks: readonly number[];
  readonly yearDays: readonly number[];
  readonly monthDays: readonly number[];
  readonly days: readonly RuleDay[];
  readonly hours: readonly number[];
  readonly minutes: readonly number[];
  readonly seconds: readonly number[];
  readonly positions: readonly number[];
}

const weekdays = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];

const known =
  'FREQ INTERVAL COUNT UNTIL WKST BYMONTH BYWEEKNO BYYEARDAY BYMONTHDAY BYDAY BYHOUR BYMINUTE BYSECOND BYSETPOS'.split(
    ' ',
  );

/** @throws CalendarFault, including for frequencies below a day. */
export function parseRule(value: string): Rule {
  const parts = new Map(
    value
      .toUpperCase()
      .split(';')
      .filter((part) => part !== '')
      .map((part) => part.split('=', 2) as [string, string | undefined])
      .map(([name, text = '']) => [name, text]),
  );
  for (const name of parts.keys()) if (!known.includes(name)) throw new CalendarFault(`has the unknown part ${name}`);
  const frequency = frequencies.find((one) => one === parts.get('FREQ'));
  if (!frequency) {
    const given = parts.get('FREQ') ?? '';
    throw new CalendarFault(`repeats ${/^[A-Z]+$/.test(given) ? given : ''}; use ${frequencies.join(', ')}`);
  }
  const rule: Rule = {
    frequency,
    interval: numbers(parts, 'INTERVAL', 1, 1_000_000)[0] ?? 1,
    count: numbers(parts, 'COUNT', 1, 1_000_000_000)[0],
    until: parts.get('UNTIL'),
    weekStart: parts.has('WKST') ? weekdayNamed(parts.get('WKST') ?? '') : 0,
    months: numbers(parts, 'BYMONTH', 1, 12),
    weeks: signed(parts, 'BYWEEKNO', 53),
    yearDays: signed(parts, 'BYYEARDAY', 366),
    monthDays: signed(parts, 'BYMONTHDAY', 31),
    days: list(parts, 'BYDAY').map(parseDay),
    hours: numbers(parts, 'BYHOUR', 0, 23),
    minutes: numbers(parts, 'BYMINUTE', 0, 59),
    seconds: numbers(parts, 'BYSECOND', 0, 59),
    positions: signed(parts, 'BYSETPOS', 366),
  };
  judge(rule);
  return rule;
}

/** The combinations that RFC 5545 forbids. */
function judge({ frequency, count, until, days, weeks, yearDays, monthDays }: Rule): void {
  const faults: readonly [boolean, string][] = [
    [count !== undefined && until !== undefined, 'has COUNT and UNTIL; use one of them'],
    [weeks.length > 0 && frequency !== 'YEARLY', 'has BYWEEKNO, which needs FREQ=YEARLY'],
    [yearDays.length > 0 && frequency !== 'YEARLY', 'has BYYEARDAY, which needs FREQ=YEARLY'],
    [monthDays.length > 0 && frequency === 'WEEKLY', 'has BYMONTHDAY, which FREQ=WEEKLY must not have'],
    [
      days.some(({ nth }) => nth !== 0) && (/DAILY|WEEKLY/.test(frequency) || weeks.length > 0),
      'has a numbered BYDAY, which needs FREQ=MONTHLY, or YEARLY without BYWEEKNO',
    ],
  ];
  for (const [isBad, clause] of faults) if (isBad) throw new CalendarFault(clause);
}

type Parts = ReadonlyMap<string, string>;

function list(parts: Parts, name: string): string[] {
  return parts.has(name) ? (parts.get(name) ?? '').split(',') : [];
}

function numbers(parts: Parts, name: string, min: number, max: number): number[] {
  return list(parts, name).map((text) => {
    const number = Number(text);
    if (/^[+-]?\d{1,10}$/.test(text) && number >= min && number <= max) return number;
    throw new CalendarFault(`has an invalid ${name}`);
  });
}

/** Numbers from 1, or from -1 counted from the end. */
function signed(parts: Parts, name: string, max: number): number[] {
  const found = numbers(parts, name, -max, max);
  if (found.includes(0)) throw new CalendarFault(`has an invalid ${name}`);
  return found;
}

function parseDay(text: string): RuleDay {
  const [, nth = '', name = ''] = /^([+-]?\d{1,2})?([A-Z]{2})$/.exec(text) ?? [];
  const number = Number(nth);
  if (nth !== '' && (number === 0 || Math.abs(number) > 53)) throw new CalendarFault('has an invalid BYDAY');
  return { weekday: weekdayNamed(name), nth: number };
}

function weekdayNamed(name: string): number {
  const weekday = weekdays.indexOf(name);
  if (weekday < 0) throw new CalendarFault('has an invalid weekday');
  return weekday;
}
