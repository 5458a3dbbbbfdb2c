import { chmod, chown, mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Account, runsAsRoot } from './account.ts';
import { DatabaseStartError, ignoring, systemCode } from './errors.ts';
import type { Place } from './place.ts';

/**
 * Creates the data directory if it is absent, and sets the owner and mode that PostgreSQL requires.
 * @throws DatabaseStartError if it is write-protected, and system errors if it can't be created.
 */
export async function prepareDataDir({ dataDir, account, contents }: Place): Promise<void> {
  if (contents === 'absent') {
    await makeOpenFolder(dirname(dataDir));
    await makeFolder(dataDir, 0o700);
  } else await requireWritable(dataDir);
  if (contents !== 'cluster') await giveTo(dataDir, account);
  await closeToOthers(dataDir);
}

/** Creates a folder and its parents. Every user may enter them, whatever the umask. */
export async function makeOpenFolder(path: string): Promise<void> {
  try {
    await makeFolder(path, runsAsRoot() ? 0o755 : undefined);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT' || dirname(path) === path) throw error;
    await makeOpenFolder(dirname(path));
    await makeFolder(path, runsAsRoot() ? 0o755 : undefined);
  }
}

/** Node's recursive mkdir hangs below /proc. */
async function makeFolder(path: string, mode?: number): Promise<void> {
  const made = await ignoring(
    ['EEXIST'],
    mkdir(path).then(() => true),
  );
  if (made && mode !== undefined) await chmod(path, mode);
}

export async function giveTo(path: string, account: Account): Promise<void> {
  if (runsAsRoot()) await chown(path, account.uid, account.gid);
}

/** Checks the mode bits, because access(2) lets root write everywhere. */
async function requireWritable(dataDir: string): Promise<void> {
  const { mode } = await stat(dataDir);
  if ((mode & 0o300) === 0o300) return;
  throw new DatabaseStartError(
    `The data directory ${dataDir} is write-protected. Make it writable for its owner with chmod u+rwx, or point DATA_DIR at another folder.`,
  );
}

/** PostgreSQL accepts only 0700 and 0750. */
async function closeToOthers(dataDir: string): Promise<void> {
  const { mode } = await stat(dataDir);
  if (![0o700, 0o750].includes(mode & 0o777)) await chmod(dataDir, 0o700);
}
