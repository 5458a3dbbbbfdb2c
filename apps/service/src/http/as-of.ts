import { instantKey, parseMoment } from '@shiplog/contract';
import type { Queries } from '../db/database.ts';
import { logMark } from '../db/log-mark.ts';
import { instant } from '../domain/analytics-window.ts';

/** The moment that an answer is as of, RFC 3339 in UTC; `undefined` where none is asked for. */
export interface AsOf {
  readonly at: string | undefined;
  /** Up to when rows count; `undefined` for all of them, also those dated ahead where `at` is yet to come (questions.md 12.7). */
  readonly until: string | undefined;
}

export async function asOf(queries: Queries, asked: string | undefined): Promise<AsOf> {
  const at = asked === undefined ? undefined : parseMoment(asked);
  if (at === undefined) return { at, until: undefined };
  const { now } = await logMark(queries);
  return { at, until: instantKey(at) > instantKey(instant(now)) ? undefined : at };
}
