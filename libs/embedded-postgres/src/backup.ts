import { chown, copyFile, lstat, mkdir, open, readdir, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { type Account, runsAsRoot } from './account.ts';
import { findBinaries } from './binaries.ts';
import { flush, superuser } from './cluster.ts';
import { ownPrefix, versionName } from './contents.ts';
import { asStartError, DatabaseStartError, ignoring } from './errors.ts';
import { choosePlace } from './place.ts';
import { canonicalPath } from './reach.ts';
import type { Connection } from './ready.ts';
import { defaultDatabase, defaultRootDir } from './start.ts';

export interface BackupOptions {
  /** The data directory of a running server, as passed to its start. */
  readonly dataDir: string;
  /** A folder that doesn't exist or is empty. */
  readonly target: string;
  readonly binaries?: string;
  readonly rootDir?: string;
}

export interface BackupResult {
  readonly files: number;
  readonly bytes: number;
}

/** Folders whose contents are not copied. Source: PostgreSQL's manual on the low-level backup API. */
const emptied = [
  'pg_wal',
  'pg_replslot',
  'pg_dynshmem',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
];
const omitted = /^(?:postmaster\.(?:pid|opts)|pgsql_tmp.*|pg_internal\.init.*|backup_label.*|tablespace_map.*)$/;
/** Copied last, because no server starts without these files. So an interrupted copy can't be used as a backup. */
const last = ['global/pg_control', versionName];

/**
 * Copies the cluster of a running embedded server, including everything committed before the call. A server can start
 * on the copy. The package has no pg_basebackup, so this follows PostgreSQL's low-level backup API: it copies the files
 * between pg_backup_start and pg_backup_stop while they change, and then the write-ahead log of that time, which makes
 * them consistent. A temporary slot retains this log.
 * @throws DatabaseStartError with a message for the user; `target` is empty then.
 */
export async function backUp(options: BackupOptions): Promise<BackupResult> {
  const target = await canonicalPath(options.target);
  try {
    return await backUpTo(target, options);
  } catch (error) {
    throw asStartError(error, target);
  }
}

async function backUpTo(target: string, options: BackupOptions): Promise<BackupResult> {
  const { major } = await findBinaries(options.binaries);
  const { dataDir, account } = await choosePlace(options.dataDir, major, options.rootDir ?? defaultRootDir);
  const client = await connected(dataDir);
  try {
    await makeEmpty(target, dataDir);
    const copy = new Copy(dataDir, target, account);
    try {
      await copy.folder('');
      await copyWhileRunning(client, copy);
      return copy.result;
    } catch (error) {
      for (const name of await readdir(target)) await rm(join(target, name), { recursive: true, force: true });
      throw error;
    }
  } finally {
    await client.end();
  }
}

async function copyWhileRunning(client: pg.Client, copy: Copy): Promise<void> {
  const slot = `shiplog_backup_${process.pid}`;
  await client.query('SELECT pg_create_physical_replication_slot($1, true, true)', [slot]);
  const [start] = (await client.query(`SELECT pg_walfile_name(pg_backup_start('shiplog backup', true)) AS file`)).rows;
  await copy.tree('', (path) => last.includes(path));
  // `false` = don't wait for an archive.
  const [stop] = (
    await client.query(
      'SELECT pg_walfile_name(lsn) AS file, labelfile AS label, spcmapfile AS map FROM pg_backup_stop(false)',
    )
  ).rows;
  for (const name of await copy.names('pg_wal')) {
    const isOfBackup = /^[0-9A-F]{24}$/.test(name) && name >= start.file && name <= stop.file;
    if (isOfBackup || name.endsWith('.history')) await copy.file(`pg_wal/${name}`);
  }
  if (stop.map) await copy.write('tablespace_map', stop.map);
  await copy.write('backup_label', stop.label);
  for (const path of last) await copy.file(path);
  await copy.flush();
}

/** The server's lock file contains its port and its socket folder. */
async function connected(dataDir: string): Promise<pg.Client> {
  const text = await ignoring(['ENOENT'], readFile(join(dataDir, 'postmaster.pid'), 'utf8'));
  const [, , , port, host] = text?.split('\n') ?? [];
  if (!host) throw new DatabaseStartError(notRunning(dataDir));
  const connection: Connection = { host, port: Number(port), user: superuser, database: defaultDatabase, ssl: false };
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: 10_000, application_name: 'shiplog backup' });
  client.on('error', () => undefined);
  try {
    await client.connect();
  } catch (error) {
    throw new DatabaseStartError(`${notRunning(dataDir)} (${(error as Error).message})`, { cause: error });
  }
  return client;
}

function notRunning(dataDir: string): string {
  return `Can't reach an embedded PostgreSQL server on ${dataDir}. Run this as the service's user, check DATA_DIR, or copy the folder of a stopped service with cp -a.`;
}

async function makeEmpty(target: string, dataDir: string): Promise<void> {
  if (`${target}/`.startsWith(`${dataDir}/`)) {
    throw new DatabaseStartError(`${target} is inside the data directory. Choose a folder outside it.`);
  }
  await mkdir(dirname(target), { recursive: true });
  await ignoring(['EEXIST'], mkdir(target, { mode: 0o700 }));
  if ((await readdir(target)).length > 0) {
    throw new DatabaseStartError(`${target} is not empty. Choose a new or empty folder.`);
  }
}

/** Copies files, flushes them to disk and changes their owner to the owner of the cluster. */
class Copy {
  readonly #from: string;
  readonly #to: string;
  readonly #account: Account;
  readonly #folders: string[] = [];
  #files = 0;
  #bytes = 0;

  constructor(from: string, to: string, account: Account) {
    this.#from = from;
    this.#to = to;
    this.#account = account;
  }

  get result(): BackupResult {
    return { files: this.#files, bytes: this.#bytes };
  }

  /** Everything below a folder, except `isLater` paths and files that the server removes in the meantime. */
  async tree(path: string, isLater: (path: string) => boolean): Promise<void> {
    for (const name of await this.names(path)) {
      const inner = path === '' ? name : `${path}/${name}`;
      const isOwn = path === '' && name.startsWith(ownPrefix);
      if (isOwn || omitted.test(name) || isLater(inner)) continue;
      const stats = await ignoring(['ENOENT'], lstat(join(this.#from, inner)));
      if (stats?.isDirectory()) {
        await this.folder(inner);
        if (!emptied.includes(inner)) await this.tree(inner, isLater);
        else if (inner === 'pg_wal')
          for (const part of ['archive_status', 'summaries']) await this.folder(`${inner}/${part}`);
      } else if (stats?.isFile()) await this.file(inner);
    }
  }

  async names(path: string): Promise<string[]> {
    return (await ignoring(['ENOENT'], readdir(join(this.#from, path)))) ?? [];
  }

  async folder(path: string): Promise<void> {
    const made = join(this.#to, path);
    await mkdir(made, { recursive: true, mode: 0o700 });
    await this.#give(made);
    this.#folders.push(made);
  }

  async file(path: string): Promise<void> {
    const made = join(this.#to, path);
    const copied = await ignoring(
      ['ENOENT'],
      copyFile(join(this.#from, path), made).then(() => true),
    );
    if (copied) await this.#finish(made);
  }

  async write(path: string, text: string): Promise<void> {
    const made = join(this.#to, path);
    const file = await open(made, 'wx', 0o600);
    await file.writeFile(text).finally(() => file.close());
    await this.#finish(made);
  }

  /** Flushes the folders, because file names are part of them. */
  async flush(): Promise<void> {
    for (const folder of [...this.#folders, dirname(this.#to)]) await flush(folder);
  }

  async #finish(made: string): Promise<void> {
    const file = await open(made, 'r+');
    try {
      await file.sync();
      this.#bytes += (await file.stat()).size;
    } finally {
      await file.close();
    }
    this.#files += 1;
    await this.#give(made);
  }

  async #give(made: string): Promise<void> {
    if (runsAsRoot()) await chown(made, this.#account.uid, this.#account.gid);
  }
}
