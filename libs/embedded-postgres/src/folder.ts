import { chmod, chown, mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Account, runsAsRoot } from './account.ts';
import { DatabaseStartError, ignoring, systemCode } from './errors.ts';
import type { Place } from './place.ts';

/**
 * Creates the data directory where it is absent, and gives it the owner and the mode that PostgreSQL requires.
 * Throws DatabaseStartError when it is write-protected, and system errors when it cannot be created.
 */
export async function prepareDataDir({ dataDir, account, contents }: Place): Promise<void> {
  if (contents === 'absent') await makeOpenFolder(dirname(dataDir));
  if (contents === 'absent') await makeFolder(dataDir, 0o700);
  else await requireWritable(dataDir);
  if (contents !== 'cluster') await giveTo(dataDir, account);
  await closeToOthers(dataDir);
}

/**
 * Creates a folder, and those above it, that every user may enter. The mode is set by chmod, because umask masks the mode
 * of mkdir: under 077 the user of the database could not enter the folder. Existing folders are left as they are.
 */
export async function makeOpenFolder(path: string): Promise<void> {
  try {
    await makeFolder(path, runsAsRoot() ? 0o755 : undefined);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT' || dirname(path) === path) throw error;
    await makeOpenFolder(dirname(path));
    await makeFolder(path, runsAsRoot() ? 0o755 : undefined);
  }
}

/** One folder at a time: the recursive mkdir of Node never returns below /proc. */
async function makeFolder(path: string, mode?: number): Promise<void> {
  const making = mkdir(path).then(() => true);
  const made = await ignoring(['EEXIST'], making);
  if (made && mode !== undefined) await chmod(path, mode);
}

/** As root, makes the account the owner of a folder. */
export async function giveTo(path: string, account: Account): Promise<void> {
  if (runsAsRoot()) await chown(path, account.uid, account.gid);
}

/** By the mode bits and not access(2): root may write everywhere, and write protection by the owner is intended. */
async function requireWritable(dataDir: string): Promise<void> {
  const { mode } = await stat(dataDir);
  if ((mode & 0o300) === 0o300) return;
  throw new DatabaseStartError(
    `The data directory ${dataDir} is write-protected. Make it writable for its owner with chmod u+rwx, or point DATA_DIR at another folder.`,
  );
}

/** PostgreSQL accepts only 0700 and 0750; checkouts and volumes often have wider modes. */
async function closeToOthers(dataDir: string): Promise<void> {
  const { mode } = await stat(dataDir);
  if (![0o700, 0o750].includes(mode & 0o777)) await chmod(dataDir, 0o700);
}
