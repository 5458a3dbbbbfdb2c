import { chmod, chown, mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Account, runsAsRoot } from './account.ts';
import { DatabaseStartError, systemCode, unless } from './errors.ts';
import type { Place } from './place.ts';

/**
 * Makes the data directory what PostgreSQL insists on: the account's own, closed to others.
 * Throws DatabaseStartError when it is write-protected, system errors when it cannot be made.
 */
export async function prepareDataDir({ dataDir, account, contents }: Place): Promise<void> {
  if (contents === 'absent') await makeOpenFolder(dirname(dataDir));
  if (contents === 'absent') await makeFolder(dataDir, 0o700);
  else await requireWritable(dataDir);
  if (contents !== 'cluster') await giveTo(dataDir, account);
  await closeToOthers(dataDir);
}

/**
 * A folder, and those above it, that every user may pass. The modes that mkdir is given are masked by umask, which
 * under 077 would lock the database's user out of a folder just made for it. Folders that exist are left as they are.
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

/** Step by step and not with mkdir's own recursion: that one never returns below /proc. */
async function makeFolder(path: string, mode?: number): Promise<void> {
  const making = mkdir(path).then(() => true);
  const made = await unless(['EEXIST'], making);
  if (made && mode !== undefined) await chmod(path, mode);
}

/** As root: hands one folder to the account. */
export async function giveTo(path: string, account: Account): Promise<void> {
  if (runsAsRoot()) await chown(path, account.uid, account.gid);
}

/** The bits, not access(2): root may write anywhere, and a folder that its owner write-protected is meant so. */
async function requireWritable(dataDir: string): Promise<void> {
  const { mode } = await stat(dataDir);
  if ((mode & 0o300) === 0o300) return;
  throw new DatabaseStartError(
    `The data directory ${dataDir} is write-protected: make it writable for its owner with chmod u+rwx, or point DATA_DIR at another folder.`,
  );
}

/** PostgreSQL accepts 0700 and 0750 only; checkouts and volumes often come with more. */
async function closeToOthers(dataDir: string): Promise<void> {
  const { mode } = await stat(dataDir);
  if (![0o700, 0o750].includes(mode & 0o777)) await chmod(dataDir, 0o700);
}
