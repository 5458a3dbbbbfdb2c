import { execFile } from 'node:child_process';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startEmbeddedPostgres } from '@shiplog/embedded-postgres';
import { runSql, testFolder, testPostgres, until } from '@shiplog/testing';

/** A primary and a standby that follows it, both real; the URLs lead to the same database on each. */
export interface Pair {
  readonly primaryUrl: string;
  readonly standbyUrl: string;
  /** Resolves when the standby shows what the primary has stored so far. */
  caughtUp(): Promise<void>;
  /** From now on the standby shows the past. */
  pause(): Promise<void>;
}

/** Starts both on an empty database; stopped when the test is over. */
export async function openPair(): Promise<Pair> {
  const folder = await testFolder();
  const [original, copy] = [join(folder, 'primary'), join(folder, 'standby')];
  await (await startEmbeddedPostgres({ dataDir: original, settings: { fsync: 'off' } })).stop();
  await promisify(execFile)('cp', ['-a', original, copy]);
  // An empty file with the right owner.
  await copyFile(join(copy, 'shiplog.server-lock'), join(copy, 'standby.signal'));
  const primary = await testPostgres({ dataDir: original });
  const { host, port, user } = primary.connection;
  const follow = { primary_conninfo: `host=${host} port=${port} user=${user}` };
  const standby = await testPostgres({ dataDir: copy, settings: follow });
  const [primaryUrl, standbyUrl] = [primary.url, standby.url];
  return {
    primaryUrl,
    standbyUrl,
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
  };
}
