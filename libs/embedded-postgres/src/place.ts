import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type Account, accountOf, hasPasswdEntry, ownAccount, runsAsRoot, unprivilegedAccount } from './account.ts';
import { type Contents, contentsOf, refuseForeign } from './contents.ts';
import { DatabaseStartError, ignoring } from './errors.ts';
import { canonicalPath, closedFolder } from './reach.ts';

/** Where a cluster is, and which account it belongs to. */
export interface Place {
  dataDir: string;
  account: Account;
  contents: Contents;
}

/** A short name for a path: 48 bits of its hash. */
export function shortHash(path: string): string {
  return createHash('sha256').update(path).digest('hex').slice(0, 12);
}

/**
 * Decides where the cluster for a requested data directory is, and changes nothing.
 *
 * When the program runs as root, the database runs as another user. An existing cluster stays where it is and keeps its
 * owner, even if that user can no longer reach it: a start that silently created an empty database elsewhere would look
 * as if all data were lost. A new one goes to the requested folder when the other user can reach it, else below `rootDir`.
 *
 * Throws DatabaseStartError for a folder that holds something else, belongs to someone else, or cannot be reached.
 */
export async function choosePlace(requested: string, major: number, rootDir: string): Promise<Place> {
  const path = await canonicalPath(requested);
  if (!runsAsRoot()) return { account: await requireOwn(path), ...(await look(path, major)) };
  const wanted = await look(path, major);
  if (wanted.contents === 'cluster') return reachable(wanted);
  const moved = await look(join(rootDir, movedName(wanted.dataDir)), major);
  if (moved.contents === 'cluster') return reachable(moved);
  const account = await freshAccount(wanted.dataDir, wanted.contents);
  const closed = await closedFolder(dirname(wanted.dataDir), account);
  if (closed === undefined) return { ...wanted, account };
  await requireOpen(rootDir, account);
  return { ...moved, account };
}

async function requireOpen(rootDir: string, account: Account): Promise<void> {
  const closed = await closedFolder(rootDir, account);
  if (closed === undefined) return;
  throw new DatabaseStartError(
    `PostgreSQL runs as user ${account.name}, who can enter neither the folders above the data directory nor ${closed}. Point DATA_DIR at a folder that this user can reach.`,
  );
}

async function look(dataDir: string, major: number): Promise<{ dataDir: string; contents: Contents }> {
  const contents = await contentsOf(dataDir);
  await refuseForeign(dataDir, contents, major);
  return { dataDir, contents };
}

/** PostgreSQL insists that the data directory belongs to the user it runs as. */
async function requireOwn(dataDir: string): Promise<Account> {
  const own = ownAccount();
  const stats = await ignoring(['ENOENT'], stat(dataDir));
  if (stats === undefined || !stats.isDirectory() || stats.uid === own.uid) return own;
  const owner = await accountOf(stats.uid, stats.gid);
  throw new DatabaseStartError(
    `The data directory ${dataDir} belongs to user ${owner.name}, but this program runs as ${own.name}. Start it as ${owner.name}, or point DATA_DIR at another folder.`,
  );
}

async function reachable(place: { dataDir: string; contents: Contents }): Promise<Place> {
  const { uid, gid } = await stat(place.dataDir);
  if (uid === 0) {
    const { name } = await unprivilegedAccount();
    throw new DatabaseStartError(
      `The data directory ${place.dataDir} belongs to root, but PostgreSQL does not run as root. Change its owner with chown -R ${name}, or point DATA_DIR at another folder.`,
    );
  }
  const account = await accountOf(uid, gid);
  const closed = await closedFolder(dirname(place.dataDir), account);
  if (closed === undefined) return { ...place, account };
  throw new DatabaseStartError(
    `The data directory ${place.dataDir} belongs to user ${account.name}, who can't enter the folder ${closed}. Open that folder with chmod o+x, or move the data directory.`,
  );
}

/** An empty folder that was made for the database says by its owner which user to take, unless the owner is root. */
async function freshAccount(dataDir: string, contents: Contents): Promise<Account> {
  if (contents === 'empty') {
    const { uid, gid } = await stat(dataDir);
    const owner = await accountOf(uid, gid);
    const usable = uid !== 0 && (await hasPasswdEntry(owner));
    if (usable && (await closedFolder(dirname(dataDir), owner)) === undefined) return owner;
  }
  return unprivilegedAccount();
}

/** The name of the folder is for people; the hash distinguishes folders of the same name. */
function movedName(dataDir: string): string {
  const readable = basename(dataDir).replace(/[^A-Za-z0-9_-]+/g, '-');
  return `${readable}-${shortHash(dataDir)}`;
}
