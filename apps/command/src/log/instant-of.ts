import { parseMoment } from '@shiplog/contract';
import { durationMs } from '@shiplog/contract/duration';
import { usageFailure } from '../failure.ts';

/**
 * The instant that an option gives: RFC 3339, a day for its UTC midnight, or how long ago it is (`30d`, `12h`, `90m`).
 * @throws Failure for anything else.
 */
export function instantOf(option: string, text: string, now: Date): string {
  const instant = parseMoment(text);
  if (instant !== undefined) return instant;
  const at = new Date(now.getTime() - (durationMs(text) ?? Number.NaN));
  if (at.getUTCFullYear() > 0) return at.toISOString();
  throw usageFailure(
    `${option} is ${JSON.stringify(text)}; it takes an instant such as 2026-05-04T09:12:02Z, a day such as 2026-05-04, or how long ago: 30d, 12h, 90m.`,
  );
}
