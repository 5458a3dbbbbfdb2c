import type { Queries } from './connections.ts';

interface Room {
  readonly free: number;
  /** The server setting that limits the number of connections. */
  readonly setting: string;
}

/**
 * Returns a warning if fewer connections are left than an instance may need. Call this while the instance has only one.
 */
export async function connectionWarning(queries: Queries, needed: number): Promise<string | undefined> {
  const [room] = await queries.query<Room>({
    text: `
      select least(server, role, base) as free, case least(server, role, base)
          when server then 'max_connections'
          when role then 'the connection limit of user ' || rolname
          else 'the connection limit of database ' || datname end as setting
      from (
        select rolname, datname,
          current_setting('max_connections')::int - (select sum(numbackends) from pg_stat_database)::int
            - case when rolsuper then 0 else current_setting('superuser_reserved_connections')::int
              + coalesce(current_setting('reserved_connections', true), '0')::int end as server,
          case when rolconnlimit >= 0 and not rolsuper then rolconnlimit
            - (select count(*) from pg_stat_activity where usename = rolname)::int end as role,
          case when datconnlimit >= 0 and not rolsuper then datconnlimit - numbackends end as base
        from pg_roles, pg_database join pg_stat_database using (datname)
        where rolname = current_user and datname = current_database()
      ) rooms`,
  });
  // The connection of this query is counted as used.
  if (!room || room.free + 1 >= needed) return undefined;
  return `the database server has ${room.free + 1} connections left, but an instance needs up to ${needed}: posts and reads may fail with 503; raise ${room.setting}`;
}
