import type { Stats } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { Account } from './account.ts';
import { unless } from './errors.ts';

const read = 4;
const execute = 1;

/**
 * The one spelling of a path, links resolved, also where its last parts do not exist yet: two spellings of one
 * folder must meet in the same owner file and the same socket folder.
 */
export async function canonicalPath(path: string): Promise<string> {
  const absolute = resolve(path);
  const real = await unless(['ENOENT'], realpath(absolute));
  return real ?? join(await canonicalPath(dirname(absolute)), basename(absolute));
}

/**
 * The first folder on the way from / to `path` (inclusive) that the account cannot pass, or undefined when it can
 * pass all of them. Parts that do not exist yet do not count. The mode bits decide: access control lists are not
 * read, so a folder opened by a list alone counts as closed, which costs a copy and breaks nothing.
 */
export async function closedFolder(path: string, account: Account): Promise<string | undefined> {
  const parent = dirname(path);
  const above = parent === path ? undefined : await closedFolder(parent, account);
  if (above !== undefined) return above;
  const stats = await unless(['ENOENT', 'ENOTDIR'], stat(path));
  return stats === undefined || permits(stats, account, execute) ? undefined : path;
}

/** Whether the account may read the file or folder itself; folders also need to be passable. */
export async function isReadable(path: string, account: Account): Promise<boolean> {
  const stats = await stat(path);
  return permits(stats, account, stats.isDirectory() ? read | execute : read);
}

function permits(stats: Stats, account: Account, wanted: number): boolean {
  const shift = stats.uid === account.uid ? 6 : stats.gid === account.gid ? 3 : 0;
  return ((stats.mode >> shift) & wanted) === wanted;
}
