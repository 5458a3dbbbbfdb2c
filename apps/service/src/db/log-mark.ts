import type { LogGauges } from '../metrics.ts';
import { oneRow, type Queries } from './database.ts';
import { foldProgress } from './folds/progress.ts';

/** The state of the log at one moment. */
export interface LogState {
  readonly tick: string;
  /** The id of the last event; `null` for an empty log. */
  readonly lastId: string | null;
}

/** The state of the log. The log is unchanged while `tick` is unchanged. */
export interface LogMark {
  readonly tick: string;
  /** The greatest event id; `undefined` for an empty log. */
  readonly position: string | undefined;
}

export interface TimedLogMark extends LogMark {
  /** The database's clock, in milliseconds since the Unix epoch. */
  readonly now: number;
}

export function stateOf({ tick, position }: LogMark): LogState {
  return { tick, lastId: position ?? null };
}

/** With the last event, so that tables that were emptied or restored without the service count as another state. */
export function textOf({ tick, lastId }: LogState): string {
  return `${tick} ${lastId}`;
}

export const markColumns = `
  (select last_tick::text from log_heads where log = 'deployments') as tick,
  (select id from deployments order by id desc limit 1) as position`;

export async function logMark(queries: Queries): Promise<TimedLogMark> {
  const { position, ...mark } = await oneRow<{ tick: string; position: string | null; now: number }>(queries, {
    name: 'log-mark',
    text: `select ${markColumns}, (extract(epoch from clock_timestamp()) * 1000)::float8 as now`,
  });
  return { ...mark, position: position ?? undefined };
}

/**
 * A new id in the form of an event's, for a row that is in no log. Ids ascend with the clock, to the microsecond.
 * @param offset keeps rows in order that get the same instant.
 */
export const newIdAfter = (offset: string) =>
  `log_id(floor(extract(epoch from clock_timestamp()) * 4096000)::bigint + ${offset})`;
export const newId = newIdAfter('0');

/** A timestamp in the format of responses: RFC 3339 in UTC, without trailing zeros. */
export const instantText = (column: string) =>
  `rtrim(rtrim(to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '0'), '.') || 'Z'`;

/** A timestamp as in cursors: RFC 3339 in UTC with six fraction digits. */
export const cursorInstant = (column: string) =>
  `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

/** A member of a stored event, as text; null if it is absent or empty. */
export const member = (name: string, event = 'event') => `nullif(${event}::json ->> '${name}', '')`;

/** The `happened_at` of the oldest row in the log; null for an empty log. */
export const logBegin = `(select ${instantText('happened_at')} from deployments order by happened_at, id limit 1)`;

export async function readLogBegin(queries: Queries): Promise<string | null> {
  const statement = { name: 'log-begin', text: `select ${logBegin} as begin` };
  return (await oneRow<{ begin: string | null }>(queries, statement)).begin;
}

export async function readLogGauges(queries: Queries): Promise<LogGauges> {
  const { missing } = await foldProgress(queries);
  const gauges = await oneRow<Omit<LogGauges, 'foldLagEvents'>>(queries, {
    name: 'log-gauges',
    text: `
      select slots::float8, greatest(tick >> 12, 0)::float8 / 1000 as "foldPosition",
        coalesce((
          select greatest(extract(epoch from clock_timestamp()) - arrival_ms(id) / 1000.0, 0) from deployments
          where id >= tick_floor(tick + 1) order by id limit 1
        ), 0)::float8 as "foldLag"
      from log_heads cross join folds where log = 'deployments'`,
  });
  return { ...gauges, foldLagEvents: missing };
}
