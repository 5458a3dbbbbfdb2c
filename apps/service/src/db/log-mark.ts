import { oneRow, type Queries } from './database.ts';

/** The state of the log at one moment; unchanged as long as `tick` is. */
export interface LogMark {
  readonly tick: string;
  /** Greatest event id of the log; `undefined` while it is empty. */
  readonly position: string | undefined;
}

/** A mark with the database's clock. */
export interface TimedLogMark extends LogMark {
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** The columns of a mark, for statements that also read something else. */
export const markColumns = `
  (select last_tick::text from log_heads where log = 'deployments') as tick,
  (select id from deployments order by id desc limit 1) as position`;

/** Reads the mark, which shows whether a snapshot is still current. */
export async function logMark(queries: Queries): Promise<TimedLogMark> {
  const row = await oneRow<{ tick: string; position: string | null; now: number }>(queries, {
    name: 'log-mark',
    text: `select ${markColumns}, (extract(epoch from clock_timestamp()) * 1000)::float8 as now`,
  });
  return { tick: row.tick, position: row.position ?? undefined, now: row.now };
}

/** A timestamp column as in answers: RFC 3339 in UTC, without trailing zeros. */
export const instantText = (column: string) =>
  `rtrim(rtrim(to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '0'), '.') || 'Z'`;

/** When the oldest row of the log happened; `null` for an empty log. One index lookup. */
export const logBegin = `(select ${instantText('happened_at')} from deployments order by happened_at, id limit 1)`;

export async function readLogBegin(queries: Queries): Promise<string | null> {
  const [row] = await queries.query<{ begin: string | null }>({
    name: 'log-begin',
    text: `select ${logBegin} as begin`,
  });
  return row?.begin ?? null;
}

/** The number of slots in the log. */
export async function countSlots(queries: Queries): Promise<number> {
  const [head] = await queries.query<{ slots: string }>({
    name: 'count-slots',
    text: `select slots from log_heads where log = 'deployments'`,
  });
  return Number(head?.slots ?? 0);
}
