import { parseInstant } from '@shiplog/contract';

/** Nine digits are the year 1973: fewer are a year or a counter. From twelve on they are milliseconds. */
const epochSeconds = /^(\d{9,11})(\.\d+)?$/;
const epochMilliseconds = /^\d{12,14}$/;
const rubyInstant = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d) (?:UTC|([+-]\d\d)(\d\d))$/;

/**
 * Converts RFC 3339, seconds or milliseconds since 1970, or Ruby's `2021-04-28 21:50:00 +0200` to RFC 3339.
 * `undefined` for any other text.
 */
export function instantOf(text: string): string | undefined {
  const [, seconds, fraction = ''] = epochSeconds.exec(text) ?? [];
  if (seconds !== undefined) return parseInstant(`${utcOf(Number(seconds) * 1000).slice(0, 19)}${fraction}Z`);
  if (epochMilliseconds.test(text)) return parseInstant(utcOf(Number(text)));
  const [, day, time, hours, minutes] = rubyInstant.exec(text) ?? [];
  if (day === undefined) return parseInstant(text);
  return parseInstant(`${day}T${time}${hours === undefined ? 'Z' : `${hours}:${minutes}`}`);
}

function utcOf(ms: number): string {
  return new Date(ms).toISOString();
}
