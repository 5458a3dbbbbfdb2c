import type { Queries } from './connections.ts';

interface Room {
  /** How many more connections can be opened, and the setting that limits them. */
  readonly free: number;
  readonly setting: string;
}

/**
 * A warning if the server has fewer connections left than an instance may need: posts, reads and instances would wait
 * for one another. Call it while this instance has only one connection.
 * @param needed the most connections that an instance opens to this server.
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
  // The count of used connections includes the one of this query.
  if (!room || room.free + 1 >= needed) return undefined;
  return `the database server has ${room.free + 1} connections left, but an instance needs up to ${needed}: posts and reads may fail with 503; raise ${room.setting}`;
}
