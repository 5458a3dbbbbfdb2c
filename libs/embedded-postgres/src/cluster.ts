import { lstat, mkdtemp, open, readdir, rename, rm, rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { hasPasswdEntry } from './account.ts';
import type { Binaries } from './binaries.ts';
import { initPrefix, readyName, versionName } from './contents.ts';
import { DatabaseStartError, ignoring } from './errors.ts';
import { giveTo } from './folder.ts';
import { type Launcher, outputOf } from './launcher.ts';
import type { Place } from './place.ts';

/** The superuser of every cluster, and the name of the superuser's database. */
export const superuser = 'postgres';

const initWithinMs = 180_000;

/**
 * Creates the cluster if the data directory has none.
 *
 *   shiplog.init-XXXXXX   initdb works here; the next start deletes the folder if this one crashes
 *   shiplog.ready         the complete folder; a start that finds it continues to move its entries up
 *   PG_VERSION            moved last: PostgreSQL recognizes a cluster by this file
 *
 * So a start may crash at any point. The folders are inside the data directory, because that can be the root of a
 * mounted volume, and a rename does not work across volumes.
 * @throws DatabaseStartError if initdb fails.
 */
export async function ensureCluster(options: {
  place: Place;
  binaries: Binaries;
  launcher: Launcher;
  log: (line: string) => void;
  signal: AbortSignal | undefined;
}): Promise<void> {
  const { dataDir } = options.place;
  const ready = join(dataDir, readyName);
  await removeUnfinished(dataDir);
  if ((await ignoring(['ENOENT'], stat(join(dataDir, versionName)))) === undefined) {
    // Links are rejected, because a link could make root move the entries of another folder.
    const complete = (await ignoring(['ENOENT'], lstat(ready)))?.isDirectory();
    if (!complete) await makeCluster(options, ready);
    await moveUp(ready, dataDir);
  }
  await ignoring(['ENOENT', 'ENOTDIR'], rmdir(ready));
}

async function makeCluster(options: Parameters<typeof ensureCluster>[0], ready: string): Promise<void> {
  const { place, binaries, launcher, log, signal } = options;
  await requirePasswdEntry(place);
  const unfinished = await mkdtemp(join(place.dataDir, initPrefix));
  await giveTo(unfinished, place.account);
  log(`creating a PostgreSQL ${binaries.version} data directory in ${place.dataDir}`);
  const initdb = launcher.command(binaries.initdb, initArguments(unfinished, binaries.major));
  const answer = await outputOf(initdb, { withinMs: initWithinMs, signal });
  if (answer.code !== 0) {
    await rm(unfinished, { recursive: true, force: true });
    throw new DatabaseStartError(
      `PostgreSQL could not create its data directory in ${place.dataDir} (${reasonIn(answer.text)}). Fix that, or point DATA_DIR at another folder.`,
    );
  }
  await rename(unfinished, ready);
}

async function requirePasswdEntry({ account }: Place): Promise<void> {
  if (await hasPasswdEntry(account)) return;
  throw new DatabaseStartError(
    `PostgreSQL can't create its data directory as uid ${account.uid}, which has no entry in /etc/passwd. Add one, or set DATABASE_URL to a PostgreSQL 14 or newer server.`,
  );
}

/**
 * Encoding and locale are explicit, because a cluster created under LC_ALL=C would store unchecked bytes. The builtin
 * provider (since 17) sorts identically on every machine.
 */
function initArguments(dir: string, major: number): string[] {
  const locale = major >= 17 ? ['--locale-provider=builtin', '--builtin-locale=C.UTF-8'] : [];
  const access = ['--auth-local=trust', '--auth-host=reject', '--no-instructions'];
  return ['-D', dir, '-U', superuser, '-E', 'UTF8', '--locale=C', ...locale, ...access];
}

/** initdb's last line is "removing contents of …"; the reason is in an earlier line. */
function reasonIn(text: string): string {
  const lines = text.trim().split('\n');
  const reason = lines.find((line) => /FATAL|PANIC/.test(line)) ?? lines.find((line) => /error:/.test(line));
  return (reason ?? lines.at(-1) ?? '').replace(/^.*?(?:FATAL|PANIC|error):\s*/, '');
}

async function moveUp(ready: string, dataDir: string): Promise<void> {
  const names = (await readdir(ready)).filter((name) => name !== versionName);
  for (const name of names) await rename(join(ready, name), join(dataDir, name));
  await flush(dataDir);
  await rename(join(ready, versionName), join(dataDir, versionName));
  await flush(dataDir);
}

/** Flushes a folder, because the names of its files are part of it. */
export async function flush(dir: string): Promise<void> {
  const folder = await open(dir);
  await folder.sync().finally(() => folder.close());
}

/** Ignores errors: a server that initdb has started may still write there, and the next start deletes the folder. */
async function removeUnfinished(dataDir: string): Promise<void> {
  const names = (await readdir(dataDir)).filter((name) => name.startsWith(initPrefix));
  const removals = names.map((name) => rm(join(dataDir, name), { recursive: true, force: true }));
  await ignoring(['ENOTEMPTY', 'EBUSY'], Promise.all(removals));
}
