import { DatabaseUnavailable } from './errors.ts';

/** The first half of the advisory lock that marks a superseded primary, which nothing else in the same database uses. */
const lockClass = 1_936_223_597;

/** How the connections of an instance that look after its servers are named. */
export const watchName = 'shiplog watch';

/** The timeline that the mark on this server names, null where there is none; an expression. */
export const markedTimeline = `(
  select max(objid::bigint)::int from pg_locks
  where locktype = 'advisory' and classid = ${lockClass} and objsubid = 2
    and database = (select oid from pg_database where datname = current_database()))`;

/** What a session has to know of its server before it is used. */
export const serverRole = `select pg_is_in_recovery() as standby, ${markedTimeline} as successor`;

export interface ServerRole {
  readonly standby: boolean;
  /** The timeline of the primary that has taken this server's place, where an instance has marked it. */
  readonly successor: number | null;
}

export const isSuperseded =
  'the server was replaced as the primary: an instance has seen a primary on a later timeline';

/** @throws DatabaseUnavailable where the server was marked. */
export function refuseSuperseded(role: ServerRole | undefined): void {
  if (role?.successor !== null) throw new DatabaseUnavailable(isSuperseded);
}

/** A primary's own timeline, null of a standby, with the timeline that a mark names. */
export const serverTimeline = `
  select ${markedTimeline} as successor,
    case when not pg_is_in_recovery()
      then ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::int end as timeline`;

/**
 * Marks the server for as long as the connection lives. A lock needs no right, no disk and no standby that confirms it, so
 * it also marks a server that takes no commits any more; and it is gone when the server restarts, as a standby, say.
 */
export const markSuperseded = `select pg_try_advisory_lock_shared(${lockClass}, $1::int)`;

/**
 * Ends the sessions of all instances. Each was opened before the mark was set; those that come later find it. The others
 * of the same user, such as psql, stay.
 */
export const endSessions = `
  select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and usename = current_user and application_name like 'shiplog%'
    and application_name <> '${watchName}'`;
