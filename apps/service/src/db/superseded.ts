import { DatabaseUnavailable } from './errors.ts';

/** The first key of the advisory lock that marks a superseded primary. It is not used elsewhere in the database. */
const lockClass = 1_936_223_597;

/** The application name of the connections that watch the servers. */
export const watchName = 'shiplog watch';

/** The timeline in the mark on this server; null if it is not marked. */
export const markedTimeline = `(
  select max(objid::bigint)::int from pg_locks
  where locktype = 'advisory' and classid = ${lockClass} and objsubid = 2
    and database = (select oid from pg_database where datname = current_database()))`;

export const serverRole = `select pg_is_in_recovery() as standby, ${markedTimeline} as successor`;

export interface ServerRole {
  readonly standby: boolean;
  /** The timeline of the primary that replaced this server, if an instance has marked it. */
  readonly successor: number | null;
}

export const isSuperseded =
  'the server was replaced as the primary: an instance has seen a primary on a later timeline';

/** @throws DatabaseUnavailable if the server is marked. */
export function refuseSuperseded(role: ServerRole | undefined): void {
  if (role?.successor !== null) throw new DatabaseUnavailable(isSuperseded);
}

export const serverTimeline = `
  select ${markedTimeline} as successor,
    case when not pg_is_in_recovery()
      then ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::int end as timeline`;

/**
 * Marks the server until the connection closes. A lock works even if the server can no longer commit, and it disappears
 * when the server restarts, for example as a standby.
 */
export const markSuperseded = `select pg_try_advisory_lock_shared(${lockClass}, $1::int)`;

/** Ends all instances' sessions that were opened before the mark. Other sessions, such as psql, continue. */
export const endSessions = `
  select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and usename = current_user and application_name like 'shiplog%'
    and application_name <> '${watchName}'`;
