import { execFile } from 'node:child_process';
import { appendFile, copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { runSql, testFolder, testPostgres, until } from '@shiplog/testing';
import { inject } from 'vitest';

/** A real primary and a real standby that follows it. The URLs are for the same database on each. */
export interface Pair {
  readonly primaryUrl: string;
  readonly standbyUrl: string;
  /** A URL with both servers, the standby first. */
  readonly bothUrl: string;
  /** Resolves when the standby has replayed everything that the primary has stored so far. */
  caughtUp(): Promise<void>;
  /** Pauses replay on the standby. */
  pause(): Promise<void>;
  /** Resumes replay on the standby, beginning with everything received in the meantime. */
  resume(): Promise<void>;
  /** Disconnects the standby from the primary. */
  part(): Promise<void>;
  /** Promotes the standby to a primary. */
  promote(): Promise<void>;
  /** Stops the first primary permanently. */
  losePrimary(): Promise<void>;
}

/** Starts both servers on an empty database, and stops them after the test. Resolves when the standby follows. */
export async function openPair(): Promise<Pair> {
  const folder = await testFolder();
  const [original, copy] = [join(folder, 'primary'), join(folder, 'standby')];
  for (const dataDir of [original, copy]) await promisify(execFile)('cp', ['-a', inject('emptyCluster'), dataDir]);
  // Copying this empty file gives the new file the right owner.
  await copyFile(join(copy, 'shiplog.server-lock'), join(copy, 'standby.signal'));
  const primary = await testPostgres({ dataDir: original });
  const { host, port, user } = primary.connection;
  // The setting is in a file, so that it can be changed while the server runs.
  await appendFile(join(copy, 'postgresql.auto.conf'), `primary_conninfo = 'host=${host} port=${port} user=${user}'\n`);
  const standby = await testPostgres({ dataDir: copy });
  const [primaryUrl, standbyUrl] = [primary.url, standby.url];
  const follows = `select from pg_stat_replication where state = 'streaming'`;
  await until(async () => (await runSql(primaryUrl, follows)).length > 0);
  const path = new URL(primaryUrl).pathname;
  const each = (of: (connection: typeof primary.connection) => string | number) =>
    [standby, primary].map(({ connection }) => encodeURIComponent(of(connection))).join(',');
  return {
    primaryUrl,
    standbyUrl,
    bothUrl: `postgres://${user}@localhost${path}?host=${each((to) => to.host)}&port=${each((to) => to.port)}&target_session_attrs=read-write`,
    caughtUp: async () => {
      const [now] = await runSql<{ lsn: string }>(primaryUrl, 'select pg_current_wal_lsn() as lsn');
      const caught = 'select from pg_last_wal_replay_lsn() as replayed where replayed >= $1';
      await until(async () => (await runSql(standbyUrl, caught, [now?.lsn])).length > 0);
    },
    pause: async () => {
      await runSql(standbyUrl, 'select pg_wal_replay_pause()');
      const paused = `select where pg_get_wal_replay_pause_state() = 'paused'`;
      await until(async () => (await runSql(standbyUrl, paused)).length > 0);
    },
    resume: async () => {
      await runSql(standbyUrl, 'select pg_wal_replay_resume()');
    },
    part: async () => {
      await runSql(standbyUrl, `alter system set primary_conninfo = ''`);
      await runSql(standbyUrl, 'select pg_reload_conf()');
      const parted = 'select where not exists (select from pg_stat_wal_receiver)';
      await until(async () => (await runSql(standbyUrl, parted)).length > 0);
    },
    promote: async () => {
      await runSql(standbyUrl, 'select pg_promote()');
      await until(async () => (await runSql(standbyUrl, 'select where not pg_is_in_recovery()')).length > 0);
    },
    losePrimary: () => primary.stop(),
  };
}
