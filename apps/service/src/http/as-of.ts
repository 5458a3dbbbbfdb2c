import { instantKey, parseMoment } from '@shiplog/contract';
import type { Queries } from '../db/database.ts';
import { logMark } from '../db/log-mark.ts';
import { instant } from '../domain/analytics-window.ts';

/**
 * The requested moment, RFC 3339 in UTC, and the time limit for the rows that count. The limit is `undefined` for all
 * rows, including future rows if `at` is in the future (questions.md 12.7).
 */
export async function asOf(queries: Queries, requested: string | undefined) {
  const at = requested === undefined ? undefined : parseMoment(requested);
  if (at === undefined) return { at, until: undefined };
  const { now } = await logMark(queries);
  return { at, until: instantKey(at) > instantKey(instant(now)) ? undefined : at };
}
