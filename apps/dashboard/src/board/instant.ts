import { instantKey, parseInstant } from '@shiplog/contract';

/** A time in the form that the service accepts, from a time or a date in an address; `undefined` for other text. */
export function rfcInstant(text: string | undefined): string | undefined {
  if (text === undefined || parseInstant(text)) return text;
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString();
}

/** A sort key for a time from `rfcInstant`. */
export function instantKeyOf(instant: string): string {
  return instantKey(parseInstant(instant) ?? instant);
}
