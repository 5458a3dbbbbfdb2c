import type { Stats } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { Account } from './account.ts';
import { ignoring } from './errors.ts';

const read = 4;
const execute = 1;

/** Resolves links, so that different paths to a folder share one lock. The last parts of the path need not exist. */
export async function canonicalPath(path: string): Promise<string> {
  const absolute = resolve(path);
  const real = await ignoring(['ENOENT'], realpath(absolute));
  return real ?? join(await canonicalPath(dirname(absolute)), basename(absolute));
}

/**
 * The first existing folder from / to `path` (inclusive) that the account can't enter. Checks only the mode bits. If
 * only an access control list grants access, the folder counts as inaccessible; the only cost is a copy.
 */
export async function closedFolder(path: string, account: Account): Promise<string | undefined> {
  const parent = dirname(path);
  const above = parent === path ? undefined : await closedFolder(parent, account);
  if (above !== undefined) return above;
  const stats = await ignoring(['ENOENT', 'ENOTDIR'], stat(path));
  return stats === undefined || permits(stats, account, execute) ? undefined : path;
}

/** Whether the account may read the file, or read and enter the folder. */
export async function isReadable(path: string, account: Account): Promise<boolean> {
  const stats = await stat(path);
  return permits(stats, account, stats.isDirectory() ? read | execute : read);
}

function permits(stats: Stats, account: Account, bits: number): boolean {
  const shift = stats.uid === account.uid ? 6 : stats.gid === account.gid ? 3 : 0;
  return ((stats.mode >> shift) & bits) === bits;
}
