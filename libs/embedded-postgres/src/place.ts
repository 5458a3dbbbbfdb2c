import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type Account, accountOf, hasPasswdEntry, ownAccount, runsAsRoot, unprivilegedAccount } from './account.ts';
import { type Contents, contentsOf, refuseForeign } from './contents.ts';
import { DatabaseStartError, ignoring } from './errors.ts';
import { canonicalPath, closedFolder } from './reach.ts';

/** A cluster's folder and its owner. */
export interface Place {
  dataDir: string;
  account: Account;
  contents: Contents;
}

/** Returns 48 bits as hex digits. */
export function shortHash(path: string): string {
  return createHash('sha256').update(path).digest('hex').slice(0, 12);
}

/**
 * Determines where the cluster for a requested data directory is, without changing anything.
 *
 * If this process runs as root, the database runs as another user. An existing cluster keeps its folder and its owner,
 * even if that user can no longer access it: with an empty database elsewhere, all data would seem to be lost. A new
 * cluster goes below `rootDir` if the user can't reach the requested folder.
 * @throws DatabaseStartError for a folder that has other contents or another owner, or can't be reached.
 */
export async function choosePlace(dataDir: string, major: number, rootDir: string): Promise<Place> {
  const path = await canonicalPath(dataDir);
  if (!runsAsRoot()) return { account: await requireOwn(path), ...(await inspect(path, major)) };
  const requested = await inspect(path, major);
  if (requested.contents === 'cluster') return reachable(requested);
  const moved = await inspect(join(rootDir, movedName(requested.dataDir)), major);
  if (moved.contents === 'cluster') return reachable(moved);
  const account = await accountForNew(requested.dataDir, requested.contents);
  const closed = await closedFolder(dirname(requested.dataDir), account);
  if (closed === undefined) return { ...requested, account };
  await requireOpen(rootDir, account);
  return { ...moved, account };
}

async function requireOpen(rootDir: string, account: Account): Promise<void> {
  const closed = await closedFolder(rootDir, account);
  if (closed === undefined) return;
  throw new DatabaseStartError(
    `PostgreSQL runs as user ${account.name}, which can access neither the parent folders of the data directory nor ${closed}. Point DATA_DIR at a folder that this user can reach.`,
  );
}

async function inspect(dataDir: string, major: number): Promise<Omit<Place, 'account'>> {
  const contents = await contentsOf(dataDir);
  await refuseForeign(dataDir, contents, major);
  return { dataDir, contents };
}

/** PostgreSQL must run as the owner of the data directory. */
async function requireOwn(dataDir: string): Promise<Account> {
  const own = ownAccount();
  const stats = await ignoring(['ENOENT'], stat(dataDir));
  if (stats === undefined || !stats.isDirectory() || stats.uid === own.uid) return own;
  const owner = await accountOf(stats.uid, stats.gid);
  throw new DatabaseStartError(
    `The data directory ${dataDir} belongs to user ${owner.name}, but this program runs as ${own.name}. Start it as ${owner.name}, or point DATA_DIR at another folder.`,
  );
}

async function reachable(place: Omit<Place, 'account'>): Promise<Place> {
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

/** The owner of an empty folder, or the default user if the owner is root. */
async function accountForNew(dataDir: string, contents: Contents): Promise<Account> {
  if (contents === 'empty') {
    const { uid, gid } = await stat(dataDir);
    const owner = await accountOf(uid, gid);
    const usable = uid !== 0 && (await hasPasswdEntry(owner));
    if (usable && (await closedFolder(dirname(dataDir), owner)) === undefined) return owner;
  }
  return unprivilegedAccount();
}

function movedName(dataDir: string): string {
  const readable = basename(dataDir).replace(/[^A-Za-z0-9_-]+/g, '-');
  return `${readable}-${shortHash(dataDir)}`;
}
