import { durationMs } from '@shiplog/contract/duration';
import { parseMoment } from '@shiplog/contract/instant';
import { usageFailure } from './failure.ts';

/**
 * Parses a duration option to milliseconds: `30m`, `2h`, `1.12:00:00`. A number without a unit is in seconds
 * (command.md 10.1).
 */
export function durationOption(flag: string, text: string): number {
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : durationMs(text);
  if (ms === undefined) {
    throw usageFailure(`${flag} must be a duration such as 90s, 30m, 2h or 1.12:00:00, not ${JSON.stringify(text)}.`);
  }
  return ms;
}

/**
 * Parses a time option: RFC 3339, a date (its midnight in UTC), or an age such as `30d`, `12h`, `90m`. @throws Failure
 * for any other value, but not for an absent option.
 */
export function instantOf(option: string, text: string, now: Date): string;
export function instantOf(option: string, text: string | undefined, now: Date): string | undefined;
export function instantOf(option: string, text: string | undefined, now: Date): string | undefined {
  if (text === undefined) return undefined;
  const instant = parseMoment(text);
  if (instant !== undefined) return instant;
  const at = new Date(now.getTime() - (durationMs(text) ?? Number.NaN));
  if (at.getUTCFullYear() > 0) return at.toISOString();
  throw usageFailure(
    `${option} must be a time such as 2026-05-04T09:12:02Z, a date such as 2026-05-04, or an age such as 30d, 12h or 90m, not ${JSON.stringify(text)}.`,
  );
}
