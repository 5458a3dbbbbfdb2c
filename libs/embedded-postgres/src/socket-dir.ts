import { chmod, lstat, mkdir, mkdtemp, readdir, rm, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Account, runsAsRoot } from './account.ts';
import { DatabaseStartError, ignoring } from './errors.ts';
import { giveTo } from './folder.ts';
import { closedFolder } from './reach.ts';

/** PostgreSQL's default port. Socket names contain the port even if no port is open. */
export const port = 5432;

const socketName = `.s.PGSQL.${port}`;
const librariesName = 'lib';
/** The limit is 107 bytes on Linux and 103 on macOS, including a random suffix of seven bytes. */
const pathBytesMax = 96;
/** Characters that are separators or quotes in the folder lists of the server and the loader. */
const listCharacters = /[\s,:;"'$\\]/;
const unusable = ['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'EROFS', 'ENOSPC'];

/** The folder with the server's socket. */
export interface SocketDir {
  path: string;
  /** Where links to libraries may be created. */
  libraries: string;
  remove(): Promise<void>;
}

/**
 * Creates the folder in the temporary folder, because the path of a data directory can be too long for a socket. Only
 * the account (and root) may enter it, so the server trusts connections on its socket.
 */
export async function makeSocketDir(name: string, account: Account): Promise<SocketDir> {
  const path = await makeInFirstFit(name, account);
  await giveTo(path, account);
  await chmod(path, 0o700);
  await clear(path);
  return { path, libraries: join(path, librariesName), remove: () => remove(path) };
}

async function makeInFirstFit(name: string, account: Account): Promise<string> {
  for (const parent of [resolve(tmpdir()), '/tmp']) {
    const fits = Buffer.byteLength(join(parent, name, socketName)) <= pathBytesMax && !listCharacters.test(parent);
    const usable = fits && (await closedFolder(parent, account)) === undefined;
    const made = usable ? await ignoring(unusable, makeGuarded(join(parent, name), account)) : undefined;
    if (made !== undefined) return made;
  }
  throw new DatabaseStartError(
    `User ${account.name} can use neither the temporary folder ${tmpdir()} nor /tmp for the database's socket. Set TMPDIR to a short path that this user can reach.`,
  );
}

/** Another user may have created a folder or link with this name. This must not prevent a start. */
async function makeGuarded(path: string, account: Account): Promise<string> {
  const making = mkdir(path, { mode: 0o700 }).then(() => true);
  if (await ignoring(['EEXIST'], making)) return path;
  const stats = await lstat(path);
  const ours = stats.isDirectory() && [account.uid, process.getuid?.()].includes(stats.uid);
  return ours ? path : mkdtemp(`${path}-`);
}

async function remove(path: string): Promise<void> {
  await clear(path);
  await ignoring([...unusable, 'ENOTEMPTY', 'EEXIST'], rmdir(path));
}

/** Root deletes only known files, because the folder's owner could redirect a recursive deletion. */
async function clear(path: string): Promise<void> {
  for (const name of await readdir(path).catch(() => [])) {
    if (name.startsWith(socketName)) await rm(join(path, name), { force: true });
    if (name === librariesName && !runsAsRoot()) await rm(join(path, name), { recursive: true, force: true });
  }
}
