import { instantKey, parseInstant } from '@shiplog/contract';

/** An instant as the service takes it; an address may say a day alone. `undefined` for what is no instant. */
export function rfcInstant(text: string | undefined): string | undefined {
  if (text === undefined || parseInstant(text)) return text;
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString();
}

/** A text that sorts as instants do, of an instant as `rfcInstant` gives it. */
export function instantKeyOf(instant: string): string {
  return instantKey(parseInstant(instant) ?? instant);
}
