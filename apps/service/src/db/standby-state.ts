import type { LogState } from './cached-answers.ts';
import type { Queries } from './connections.ts';

/** What a server shows of the log. */
export interface ShownLog extends LogState {
  readonly isStandby: boolean;
  /** Of the last change that removed events. */
  readonly removedTick: string;
  /** Of the last event up to the tick that was asked about. */
  readonly idThen: string | null;
}

const lastIdUpTo = (tick: string) =>
  `(select id from deployments where id < tick_floor(${tick}::bigint + 1) order by id desc limit 1)`;

/** At the beginning of a snapshot: what is read in the same one is of this state. */
export async function shownLog(queries: Queries, tick: string): Promise<ShownLog> {
  const [row] = await queries.query<ShownLog>(
    {
      name: 'shown-log',
      text: `
        select pg_is_in_recovery() as "isStandby", last_tick::text as tick, removed_tick::text as "removedTick",
          (select id from deployments order by id desc limit 1) as "lastId", ${lastIdUpTo('$1')} as "idThen"
        from log_heads where log = 'deployments'`,
    },
    [tick],
  );
  if (!row) throw new Error('log_heads has no row for deployments');
  return row;
}

/** Why what a server shows is no answer to who knows the primary's mark; `undefined` = it is one. */
export type Misfit = 'no-standby' | 'behind' | 'other-log';

export function misfitOf(shown: ShownLog, mark: LogState): Misfit | undefined {
  if (!shown.isStandby) return 'no-standby';
  if (BigInt(shown.tick) < BigInt(mark.tick)) return 'behind';
  // Where events were removed since, that the one of the mark is gone says nothing.
  if (BigInt(shown.removedTick) > BigInt(mark.tick)) return undefined;
  return shown.idThen === mark.lastId ? undefined : 'other-log';
}

/**
 * Whether the primary has the state that a standby showed. A standby can be ahead: with synchronous standbys the primary
 * shows a commit only when it knows that they have it; and one that has what a failover has lost stays ahead.
 */
export async function primaryHas(primary: Queries, { tick, lastId }: LogState): Promise<boolean> {
  const [row] = await primary.query<{ has: boolean }>(
    {
      name: 'primary-has',
      text: `
        select last_tick >= $1::bigint and ${lastIdUpTo('$1')} is not distinct from $2::uuid as has
        from log_heads where log = 'deployments'`,
    },
    [tick, lastId],
  );
  return row?.has === true;
}

/** The same for a primary and its standbys, and for nothing else: the cluster of files, and the database in it. */
const identity = `(
  select system_identifier || '/' || oid from pg_control_system(), pg_database where datname = current_database())`;

export async function identityOf(queries: Queries): Promise<string> {
  const [row] = await queries.query<{ identity: string }>({
    name: 'identity',
    text: `select ${identity} as identity`,
  });
  if (!row) throw new Error('the database returned nothing about itself');
  return row.identity;
}

/** How the primary's log compares with what a standby showed of it. */
export interface Lag {
  readonly identity: string;
  readonly primary: LogState;
  /** Events that the standby lacks, up to `lagEventsMax`. */
  readonly events: number;
  /** The age of the first of them, 0 where it lacks none. */
  readonly seconds: number;
  /** The primary has events in the place of those of the standby. */
  readonly isOther: boolean;
}

const lagEventsMax = 10_000;

export async function lagOf(primary: Queries, { tick, lastId }: LogState): Promise<Lag> {
  const [row] = await primary.query<Omit<Lag, 'primary'> & { primaryTick: string; primaryEnd: string | null }>(
    {
      name: 'standby-lag',
      text: `
        select ${identity} as identity, last_tick::text as "primaryTick",
          (select id from deployments order by id desc limit 1) as "primaryEnd", late.events,
          coalesce(greatest(0, extract(epoch from clock_timestamp())
            - ('x' || left(replace(late.first, '-', ''), 12))::bit(48)::bigint / 1000.0), 0)::float8 as seconds,
          last_tick >= $1::bigint and removed_tick <= $1::bigint and ${lastIdUpTo('$1')} is distinct from $2::uuid as "isOther"
        from log_heads, (
          select count(*)::int as events, min(id::text) as first from (
            select id from deployments where id >= tick_floor($1::bigint + 1) order by id limit ${lagEventsMax}
          ) rows
        ) late
        where log = 'deployments'`,
    },
    [tick, lastId],
  );
  if (!row) throw new Error('log_heads has no row for deployments');
  const { primaryTick, primaryEnd, ...lag } = row;
  return { ...lag, primary: { tick: primaryTick, lastId: primaryEnd } };
}
