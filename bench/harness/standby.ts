import { execFile } from 'node:child_process';
import { appendFile, chown, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { startEmbeddedPostgres } from '@shiplog/embedded-postgres';
import pg from 'pg';
import { openFolder } from './folder.ts';
import { type Stage, serverSettings, urlOf } from './stage.ts';

/** A standby of a stage's server. */
export interface Standby {
  readonly url: string;
  readonly pid: number;
  /** Resolves when the standby has replayed everything that its primary has stored so far. */
  caughtUp(): Promise<void>;
  close(): Promise<void>;
}

const lookAgainMs = 2;

/** Copies the running server of a stage and starts the copy as a standby. */
export async function openStandby({ sql, server }: Stage): Promise<Standby> {
  const folder = await openFolder();
  const dataDir = join(folder, 'data');
  const { host, port, user } = server.connection;
  await sql.query(`select pg_backup_start('standby', true)`);
  // The standby replays the primary's WAL. This repairs files that change or disappear during the copy.
  await promisify(execFile)('cp', ['-a', server.dataDir, dataDir]).catch(() => undefined);
  const { rows } = await sql.query<{ label: string }>('select labelfile as label from pg_backup_stop(false)');
  await Promise.all(['postmaster.pid', 'postmaster.opts'].map((name) => rm(join(dataDir, name), { force: true })));
  const owner = await stat(dataDir);
  for (const [name, text] of [
    ['backup_label', rows[0]?.label ?? ''],
    ['standby.signal', ''],
  ] as const) {
    await writeFile(join(dataDir, name), text);
    await chown(join(dataDir, name), owner.uid, owner.gid);
  }
  const follow = `primary_conninfo = 'host=${host} port=${port} user=${user}'\n`;
  await appendFile(join(dataDir, 'postgresql.auto.conf'), follow);
  const standby = await startEmbeddedPostgres({ dataDir, settings: serverSettings });
  const own = new pg.Client({ connectionString: urlOf(standby) });
  await own.connect();
  return {
    url: urlOf(standby),
    pid: standby.pid,
    caughtUp: async () => {
      const { rows: stored } = await sql.query<{ lsn: string }>('select pg_current_wal_lsn() as lsn');
      const isBehind = 'select from pg_last_wal_replay_lsn() as replayed where replayed < $1';
      while ((await own.query(isBehind, [stored[0]?.lsn])).rowCount !== 0) await sleep(lookAgainMs);
    },
    close: async () => {
      await own.end();
      await standby.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
