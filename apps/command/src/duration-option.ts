import { durationMs } from '@shiplog/contract/duration';
import { usageFailure } from './failure.ts';

/** Parses a duration option to milliseconds: `30m`, `2h`, `1.12:00:00`; a bare number is seconds (command.md 10.1). */
export function durationOption(flag: string, text: string): number {
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : durationMs(text);
  if (ms === undefined) {
    throw usageFailure(`${flag} must be a duration such as 90s, 30m, 2h or 1.12:00:00, not ${JSON.stringify(text)}.`);
  }
  return ms;
}
