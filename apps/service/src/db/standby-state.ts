import { oneRow, type Queries } from './connections.ts';
import type { LogState } from './log-mark.ts';

/** The log as a server shows it. */
export interface ShownLog extends LogState {
  readonly isStandby: boolean;
  /** The tick of the last removal. */
  readonly removedTick: string;
  /** The id of the last event up to the requested tick. */
  readonly idThen: string | null;
}

const lastIdUpTo = (tick: string) =>
  `(select id from deployments where id < tick_floor(${tick}::bigint + 1) order by id desc limit 1)`;

/** Called at the start of a snapshot. Everything read in the snapshot belongs to this state. */
export function shownLog(queries: Queries, tick: string): Promise<ShownLog> {
  return oneRow(queries, {
    name: 'shown-log',
    text: `
      select pg_is_in_recovery() as "isStandby", last_tick::text as tick, removed_tick::text as "removedTick",
        (select id from deployments order by id desc limit 1) as "lastId", ${lastIdUpTo('$1')} as "idThen"
      from log_heads where log = 'deployments'`,
    values: [tick],
  });
}

export type Misfit = 'no-standby' | 'behind' | 'other-log';

export function misfitOf(shown: ShownLog, mark: LogState): Misfit | undefined {
  if (!shown.isStandby) return 'no-standby';
  if (BigInt(shown.tick) < BigInt(mark.tick)) return 'behind';
  // After a removal, the event of the mark may be missing even if the logs match.
  if (BigInt(shown.removedTick) > BigInt(mark.tick)) return undefined;
  return shown.idThen === mark.lastId ? undefined : 'other-log';
}

/**
 * Whether the primary has the state that a standby showed. The standby may be ahead, because the primary shows a commit
 * only after synchronous standbys confirm it, and a standby may still have events that were lost in a failover.
 */
export async function primaryHas(primary: Queries, { tick, lastId }: LogState): Promise<boolean> {
  const { has } = await oneRow<{ has: boolean }>(primary, {
    name: 'primary-has',
    text: `
      select last_tick >= $1::bigint and ${lastIdUpTo('$1')} is not distinct from $2::uuid as has
      from log_heads where log = 'deployments'`,
    values: [tick, lastId],
  });
  return has;
}

/** The database cluster and the database: equal on a primary and its standbys. */
const identity = `(
  select system_identifier || '/' || oid from pg_control_system(), pg_database where datname = current_database())`;

export async function identityOf(queries: Queries): Promise<string> {
  const statement = { name: 'identity', text: `select ${identity} as identity` };
  return (await oneRow<{ identity: string }>(queries, statement)).identity;
}

/** How the primary's log differs from the log that a standby showed. */
export interface Lag {
  readonly identity: string;
  readonly primary: LogState;
  /** The number of events missing on the standby, up to `lagEventsMax`. */
  readonly events: number;
  /** The age of the first missing event; 0 if none is missing. */
  readonly seconds: number;
  /** Whether the primary and the standby have different events at the same position. */
  readonly isOther: boolean;
}

const lagEventsMax = 10_000;

export async function lagOf(primary: Queries, { tick, lastId }: LogState): Promise<Lag> {
  const row = await oneRow<Omit<Lag, 'primary'> & { primaryTick: string; primaryEnd: string | null }>(primary, {
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
    values: [tick, lastId],
  });
  const { primaryTick, primaryEnd, ...lag } = row;
  return { ...lag, primary: { tick: primaryTick, lastId: primaryEnd } };
}
