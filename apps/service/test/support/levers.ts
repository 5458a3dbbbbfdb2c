import { channels } from '@shiplog/contract';
import { runSql, type TestDatabase, testDatabase } from '@shiplog/testing';
import pg from 'pg';
import { onTestFinished } from 'vitest';

/** A database on which a test can suppress notifications and change the clock while services use it. */
export interface LeverDatabase extends TestDatabase {
  /** Suppresses all notifications on the contract's channels from the next statement on, or stops suppressing them. */
  loseNotices(lost: boolean): Promise<void>;
  /** Sets the clock for ids this many hours ahead of the real clock. Negative values set it back. */
  offsetClock(hours: number): Promise<void>;
  /** Stops the clock, including that of transactions, at this time. */
  stopClock(ms: number): Promise<void>;
}

/**
 * Creates the database. Functions in a schema that precedes `pg_catalog` in the search path shadow those for
 * notifications and the clock, because a test can't control these on a real server in any other way. A test that uses a
 * lever must check its effect: a separate listener receives nothing, or ids contain a different time.
 */
export async function leverDatabase(): Promise<LeverDatabase> {
  return withLevers(await testDatabase());
}

/** Adds the levers to an existing database and therefore to its standbys. */
export async function withLevers<Database extends { readonly url: string }>(database: Database) {
  const name = new URL(database.url).pathname.slice(1);
  await runSql(
    database.url,
    `create schema levers;
     create table levers.settings (notices_lost boolean not null, clock_offset interval not null, clock_at timestamptz);
     insert into levers.settings values (false, '0');
     create function levers.pg_notify(channel text, payload text) returns void language plpgsql volatile as $$
       begin
         if channel <> all ('{${channels.join()}}') or not (select notices_lost from levers.settings) then
           perform pg_catalog.pg_notify(channel, payload);
         end if;
       end $$;
     create function levers.clock_timestamp() returns timestamptz language plpgsql volatile as $$
       begin
         return (select coalesce(clock_at, pg_catalog.clock_timestamp() + clock_offset) from levers.settings);
       end $$;
     create function levers.now() returns timestamptz language sql stable
       return (select coalesce(clock_at, pg_catalog.now()) from levers.settings);
     alter database ${name} set search_path = levers, public, pg_catalog`,
  );
  return {
    ...database,
    loseNotices: async (lost: boolean) => {
      await runSql(database.url, 'update levers.settings set notices_lost = $1', [lost]);
    },
    offsetClock: async (hours: number) => {
      await runSql(database.url, 'update levers.settings set clock_offset = make_interval(secs => $1::float8 * 3600)', [
        hours,
      ]);
    },
    stopClock: async (ms: number) => {
      await runSql(database.url, 'update levers.settings set clock_at = to_timestamp($1::float8 / 1000)', [ms]);
    },
  };
}

/** A separate listener for the test, on every channel of the contract. */
export async function openEar(url: string): Promise<{ heard: () => Promise<number> }> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  let count = 0;
  client.on('notification', () => {
    count += 1;
  });
  for (const channel of channels) await client.query(`listen ${channel}`);
  return {
    heard: async () => {
      // Notifications sent earlier arrive before this response.
      await client.query('select 1');
      return count;
    },
  };
}

/** Cuts the listener connections of every instance on this database. */
export const cutListenersText = `
  select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and application_name = 'shiplog listener'`;

export async function cutListeners(url: string): Promise<void> {
  await runSql(url, cutListenersText);
}
