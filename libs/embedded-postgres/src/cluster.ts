import { lstat, mkdtemp, open, readdir, rename, rm, rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { hasPasswdEntry } from './account.ts';
import type { Binaries } from './binaries.ts';
import { initPrefix, readyName, versionName } from './contents.ts';
import { DatabaseStartError, unless } from './errors.ts';
import { giveTo } from './folder.ts';
import { type Launcher, outputOf } from './launcher.ts';
import type { Place } from './place.ts';

/** The superuser of every cluster; also the name of the database it always has. */
export const superuser = 'postgres';

const initWithinMs = 180_000;

/**
 * Makes the cluster when the data directory has none. Throws DatabaseStartError when initdb fails.
 *
 *   shiplog.init-XXXXXX   initdb works here; a start that dies leaves it, and the next one deletes it
 *   shiplog.ready         the same folder, whole; a start that finds it goes on moving its entries up
 *   PG_VERSION            moved last: PostgreSQL's mark of a cluster appears when everything else is there
 *
 * So a start can die at any moment and nothing but a folder of ours is ever deleted. Inside the data directory and
 * not beside it, because that may be the root of a mounted volume, where a rename cannot come in from outside.
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
  await removeHalfMade(dataDir);
  if (!(await exists(join(dataDir, versionName)))) {
    // Not through a link: root must not be led to move the entries of some other folder.
    const whole = (await unless(['ENOENT'], lstat(ready)))?.isDirectory();
    if (!whole) await makeCluster(options, ready);
    await moveUp(ready, dataDir);
  }
  await unless(['ENOENT', 'ENOTDIR'], rmdir(ready));
}

async function makeCluster(options: Parameters<typeof ensureCluster>[0], ready: string): Promise<void> {
  const { place, binaries, launcher, log, signal } = options;
  await requirePasswdEntry(place);
  const half = await mkdtemp(join(place.dataDir, initPrefix));
  await giveTo(half, place.account);
  log(`creating a PostgreSQL ${binaries.version} cluster in ${place.dataDir}`);
  const initdb = launcher.command(binaries.initdb, initArguments(half, binaries.major));
  const answer = await outputOf(initdb, { withinMs: initWithinMs, signal });
  if (answer.code !== 0) {
    await rm(half, { recursive: true, force: true });
    throw new DatabaseStartError(
      `PostgreSQL could not create its cluster in ${place.dataDir} (${reasonIn(answer.text)}): mend that, or point DATA_DIR at another folder.`,
    );
  }
  await rename(half, ready);
}

async function requirePasswdEntry({ account }: Place): Promise<void> {
  if (await hasPasswdEntry(account)) return;
  throw new DatabaseStartError(
    `PostgreSQL cannot create its cluster as uid ${account.uid}, which has no entry in /etc/passwd: add one, or set DATABASE_URL to a PostgreSQL 14 or newer server.`,
  );
}

/**
 * Encoding and locale are spelt out: left alone, initdb takes them from the environment, and a cluster made under
 * LC_ALL=C would store unchecked bytes. The builtin provider sorts alike on every machine; it came with 17.
 */
function initArguments(dir: string, major: number): string[] {
  const locale = major >= 17 ? ['--locale-provider=builtin', '--builtin-locale=C.UTF-8'] : [];
  const access = ['--auth-local=trust', '--auth-host=reject', '--no-instructions'];
  return ['-D', dir, '-U', superuser, '-E', 'UTF8', '--locale=C', ...locale, ...access];
}

/** initdb ends with "removing contents of …"; the reason is what it said before. */
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

/** initdb has flushed the files; the names they got since are the folder's contents. */
async function flush(dir: string): Promise<void> {
  const folder = await open(dir);
  await folder.sync().finally(() => folder.close());
}

/** A server of initdb's may still be writing there for a moment: what cannot be deleted is left to the next start. */
async function removeHalfMade(dataDir: string): Promise<void> {
  const names = (await readdir(dataDir)).filter((name) => name.startsWith(initPrefix));
  const removals = names.map((name) => rm(join(dataDir, name), { recursive: true, force: true }));
  await unless(['ENOTEMPTY', 'EBUSY'], Promise.all(removals));
}

async function exists(path: string): Promise<boolean> {
  return (await unless(['ENOENT'], stat(path))) !== undefined;
}
