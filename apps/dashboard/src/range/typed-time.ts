import { parseInstant } from '@shiplog/contract';

type TypedTime = { readonly ms: number } | 'now' | { readonly fault: string };

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const spansMs: Readonly<Record<string, number>> = { s: 1000, min: 60_000, h: 3_600_000, d: 86_400_000 };
const notUnderstood = {
  fault: 'Not a valid time. Type “14:05”, “yesterday 14:05”, “19 Nov 14:05”, “2026-11-19 14:05” or “3 h ago”.',
};
const clock = /(?:^|[\s,]|at\s)(\d{1,2}):(\d{2})(?::(\d{2}))?\s*(am|pm)?(?=$|[\s,])/;

/**
 * Parses a time, local unless it has an offset: a time of day ("14:05": the last one that has passed), with a day
 * before or after it ("yesterday", "thursday", "19 Nov", "2026-11-19"), an RFC 3339 timestamp, an age ("3 h ago"), or
 * "now".
 */
export function typedTime(text: string, nowMs: number): TypedTime {
  const typed = text.trim().toLowerCase();
  if (typed === 'now') return 'now';
  const ms = instantIn(text.trim()) ?? spanIn(typed, nowMs) ?? clockIn(typed, nowMs);
  if (ms === undefined || Number.isNaN(ms)) return notUnderstood;
  return ms > nowMs ? { fault: 'That time is in the future.' } : { ms };
}

function instantIn(text: string): number | undefined {
  const utc = parseInstant(text);
  return utc === undefined ? undefined : Date.parse(utc);
}

function spanIn(typed: string, nowMs: number): number | undefined {
  const [, count, unit = ''] = /^(\d+)\s*(s|min|h|d)[a-z]*\s+ago$/.exec(typed) ?? [];
  const unitMs = spansMs[unit];
  return count === undefined || unitMs === undefined ? undefined : nowMs - Number(count) * unitMs;
}

function clockIn(typed: string, nowMs: number): number | undefined {
  const spaced = typed.replace(/^(\d{4}-\d{2}-\d{2})t/, '$1 ');
  const found = clock.exec(spaced);
  if (!found) return undefined;
  const time = timeOfDay(found);
  const dayText = spaced.replace(found[0], ' ').replace(/,/g, ' ').trim();
  const day = time && dayIn(dayText, nowMs);
  if (!day) return undefined;
  const at = (date: Date) => new Date(date.getFullYear(), date.getMonth(), date.getDate(), ...time).getTime();
  const ms = at(day.date);
  if (ms <= nowMs || !day.earlier) return ms;
  return at(day.earlier);
}

function timeOfDay([, hour, minute, second = '0', half]: readonly (string | undefined)[]):
  | [hour: number, minute: number, second: number]
  | undefined {
  const [hours, minutes, seconds] = [Number(hour), Number(minute), Number(second)];
  if (minutes > 59 || seconds > 59 || hours > 23) return undefined;
  if (half === undefined) return [hours, minutes, seconds];
  return hours < 1 || hours > 12 ? undefined : [(hours % 12) + (half === 'pm' ? 12 : 0), minutes, seconds];
}

interface Day {
  readonly date: Date;
  /** The day to use if the time on `date` is in the future. */
  readonly earlier?: Date;
}

/** The day in the remaining text; empty = today. */
function dayIn(dayText: string, nowMs: number): Day | undefined {
  const today = new Date(nowMs);
  const back = (days: number) => new Date(today.getFullYear(), today.getMonth(), today.getDate() - days);
  if (dayText === '') return { date: today, earlier: back(1) };
  if (dayText === 'today') return { date: today };
  if (dayText === 'yesterday') return { date: back(1) };
  const weekday = /^[a-z]{3,9}$/.test(dayText) ? weekdays.indexOf(dayText.slice(0, 3)) : -1;
  if (weekday >= 0) {
    const days = (today.getDay() - weekday + 7) % 7;
    return { date: back(days), earlier: back(days + 7) };
  }
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(dayText) ?? [];
  if (year !== undefined) return dated(Number(year), Number(month) - 1, Number(day));
  return namedDay(dayText, today.getFullYear());
}

/** "19 nov", "nov 19", "19 november 2026". */
function namedDay(dayText: string, thisYear: number): Day | undefined {
  const words = dayText.split(/\s+/);
  const name = words.find((word) => /^[a-z]{3,9}\.?$/.test(word)) ?? '';
  const month = months.indexOf(name.slice(0, 3));
  const [day, year] = words.filter((word) => word !== name).map((word) => word.replace(/(\d)(st|nd|rd|th|\.)$/, '$1'));
  if (month < 0 || words.length > 3 || !/^\d{1,2}$/.test(day ?? '') || !/^\d{4}$/.test(year ?? '2000'))
    return undefined;
  const found = dated(Number(year ?? thisYear), month, Number(day));
  const before = year === undefined ? dated(thisYear - 1, month, Number(day)) : undefined;
  return found && before ? { ...found, earlier: before.date } : found;
}

/** A calendar day; `undefined` if it does not exist. */
function dated(year: number, month: number, day: number): Day | undefined {
  const date = new Date(year, month, day);
  return date.getMonth() === month && date.getDate() === day ? { date } : undefined;
}
