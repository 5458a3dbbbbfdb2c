/** A point in time as an emitter wrote it, checked and brought to UTC. */
export interface Instant {
  /** RFC 3339 in UTC with `Z` and the fraction digits that were written (reading 3.3). */
  readonly text: string;
  /** The same with at most six fraction digits, cut and not rounded: what ordering uses (reading 3.3). */
  readonly micros: string;
}

const pattern = /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(\.\d+)?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/;

const minuteMs = 60_000;
const yearMin = 1;
const yearMax = 9999;

/**
 * Reads an RFC 3339 date-time as readings 1.7 and 3.3 define it. `undefined` for anything else: a naive time, an
 * impossible date, an offset beyond ±23:59, a leap second that is not 23:59:60 in UTC, an instant outside the years
 * 1 to 9999 in UTC.
 */
export function parseInstant(text: string): Instant | undefined {
  const match = pattern.exec(text);
  if (!match) return undefined;
  const [, year, month, day, hour, minute, second, fraction = '', sign, offsetHour = '0', offsetMinute = '0'] = match;
  const leap = second === '60';
  if (Number(hour) > 23 || Number(minute) > 59 || (Number(second) > 59 && !leap)) return undefined;
  if (Number(offsetHour) > 23 || Number(offsetMinute) > 59) return undefined;
  const local = utcMs(
    Number(year),
    Number(month),
    Number(day),
    Number(hour),
    Number(minute),
    leap ? 59 : Number(second),
  );
  if (local === undefined) return undefined;
  const offsetMs = (Number(offsetHour) * 60 + Number(offsetMinute)) * minuteMs * (sign === '-' ? -1 : 1);
  const utc = new Date(local - offsetMs);
  if (leap && (utc.getUTCHours() !== 23 || utc.getUTCMinutes() !== 59)) return undefined;
  const instant = leap ? new Date(utc.getTime() + 1000) : utc;
  if (instant.getUTCFullYear() < yearMin || instant.getUTCFullYear() > yearMax) return undefined;
  const moved = leap || offsetMs !== 0;
  const seconds = moved ? instant.toISOString().slice(0, 19) : `${text.slice(0, 10)}T${text.slice(11, 19)}`;
  const cut = fraction.slice(0, 7);
  return { text: `${seconds}${fraction}Z`, micros: `${seconds}${cut}Z` };
}

/** Milliseconds of a calendar date, or `undefined` where the calendar has no such day. Year 0 is no year of RFC 3339 here. */
function utcMs(year: number, month: number, day: number, hour: number, minute: number, second: number) {
  if (year < yearMin) return undefined;
  // Date.UTC maps the years 0 to 99 to 1900 to 1999, so the year is set on its own.
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
  return date.setUTCHours(hour, minute, second, 0);
}
