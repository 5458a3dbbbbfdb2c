import { instantKey, parseMoment } from '@shiplog/contract';
import type { Queries } from '../db/database.ts';
import { logMark } from '../db/log-mark.ts';
import { instant } from '../domain/analytics-window.ts';

/** The moment of the answer, RFC 3339 in UTC; `undefined` if none was requested. */
export interface AsOf {
  readonly at: string | undefined;
  /**
   * The last moment of rows that count; `undefined` for all rows, including future ones if `at` is in the future
   * (questions.md 12.7).
   */
  readonly until: string | undefined;
}

export async function asOf(queries: Queries, asked: string | undefined): Promise<AsOf> {
  const at = asked === undefined ? undefined : parseMoment(asked);
  if (at === undefined) return { at, until: undefined };
  const { now } = await logMark(queries);
  return { at, until: instantKey(at) > instantKey(instant(now)) ? undefined : at };
}
