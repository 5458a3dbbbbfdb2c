const pattern = /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(\.\d+)?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/;
/** An unescaped plus sign in a URL is decoded as a space, as in `… 02:00`. */
const plusLost = /^\d{4}-\d{2}-\d{2}[Tt][\d:.]+ \d{2}:\d{2}$/;

const minuteMs = 60_000;
const yearMin = 1;
const yearMax = 9999;
const months = 'January February March April May June July August September October November December'.split(' ');

/** An instant in UTC, or the error as a clause that follows the pointer to the invalid value. */
type Reading = { readonly utc: string } | { readonly fault: string };

/**
 * Parses an RFC 3339 date-time with an offset (readings 1.7 and 3.3). Returns the same instant in UTC with `Z` and the
 * fraction digits as written; digits after the sixth are cut off, never rounded. `undefined` for anything else.
 */
export function parseInstant(text: string): string | undefined {
  const reading = read(text);
  return 'utc' in reading ? reading.utc : undefined;
}

/** A sort key with microsecond precision for an instant in UTC, as `parseInstant` returns it (reading 3.3). */
export function instantKey(utc: string): string {
  const [seconds = '', fraction = ''] = utc.replace('Z', '').split('.');
  return `${seconds}.${fraction.slice(0, 6).padEnd(6, '0')}`;
}

/** Why a string is not an instant, such as "must be an RFC 3339 date-time …"; `undefined` if it is an instant. */
export function instantFault(text: string): string | undefined {
  const reading = read(text);
  return 'fault' in reading ? reading.fault : undefined;
}

/** Parses a moment (questions.md 1.4): like `parseInstant`, but also a date, meaning its UTC midnight. */
export function parseMoment(text: string): string | undefined {
  return parseInstant(momentText(text));
}

/** Like `instantFault`, but for moments. */
export function momentFault(text: string): string | undefined {
  const fault = instantFault(momentText(text));
  return fault?.replace('must be an RFC 3339 date-time', 'must be a date such as 2026-05-04, or an RFC 3339 date-time');
}

function momentText(text: string): string {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00Z` : text;
}

function read(text: string): Reading {
  const match = pattern.exec(text);
  if (!match) return { fault: formFault(text) };
  const [, year, month, day, hour, minute, second, fraction = '', sign, offsetHour = '0', offsetMinute = '0'] = match;
  const leap = second === '60';
  if (Number(year) < yearMin) return { fault: `has the year ${year}, but years must be from 0001 to 9999` };
  if (Number(hour) > 23) return { fault: `has the hour ${hour}, but hours must be from 00 to 23` };
  if (Number(minute) > 59) return { fault: `has the minute ${minute}, but minutes must be from 00 to 59` };
  if (Number(second) > 60) return { fault: `has the second ${second}, but seconds must be from 00 to 59` };
  if (Number(offsetHour) > 23 || Number(offsetMinute) > 59) {
    return { fault: `has the offset ${sign}${offsetHour}:${offsetMinute}, but offsets must be from -23:59 to +23:59` };
  }
  const local = utcMs([year, month, day, hour, minute, leap ? 59 : second].map(Number));
  if (local === undefined) return { fault: dayFault(Number(year), Number(month), Number(day)) };
  const offsetMs = (Number(offsetHour) * 60 + Number(offsetMinute)) * minuteMs * (sign === '-' ? -1 : 1);
  const utc = new Date(local - offsetMs);
  if (leap && (utc.getUTCHours() !== 23 || utc.getUTCMinutes() !== 59)) {
    return { fault: 'has the second 60, which is valid only at 23:59:60 UTC' };
  }
  const instant = leap ? new Date(utc.getTime() + 1000) : utc;
  if (instant.getUTCFullYear() < yearMin || instant.getUTCFullYear() > yearMax) {
    return { fault: 'is outside the years 0001 to 9999 in UTC' };
  }
  const moved = leap || offsetMs !== 0;
  const seconds = moved ? instant.toISOString().slice(0, 19) : `${text.slice(0, 10)}T${text.slice(11, 19)}`;
  return { utc: `${seconds}${fraction.slice(0, 7)}Z` };
}

function formFault(text: string): string {
  if (plusLost.test(text)) return 'has a space instead of the sign of its offset; in a URL, write + as %2B';
  return 'must be an RFC 3339 date-time with Z or an offset, such as 2026-05-04T09:12:02Z';
}

function dayFault(year: number, month: number, day: number): string {
  const name = months[month - 1];
  if (name === undefined) return `has the month ${month}, but months must be from 01 to 12`;
  return `has a date that does not exist: ${day} ${name} ${year}`;
}

/** Milliseconds of a calendar date; `undefined` if the day does not exist. */
function utcMs([year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0]: readonly number[]) {
  // Date.UTC maps the years 0 to 99 to 1900 to 1999, so the year is set separately.
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
  return date.setUTCHours(hour, minute, second, 0);
}
