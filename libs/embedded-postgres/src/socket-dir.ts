import { chmod, lstat, mkdir, mkdtemp, readdir, rm, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Account, runsAsRoot } from './account.ts';
import { DatabaseStartError, unless } from './errors.ts';
import { giveTo } from './folder.ts';
import { closedFolder } from './reach.ts';

/** A socket has a number in its name even where no port is open; PostgreSQL's own default. */
export const port = 5432;

const socketName = `.s.PGSQL.${port}`;
const librariesName = 'lib';
/** Linux takes 107 bytes, macOS 103; a random ending of seven must fit too. */
const pathBytesMax = 96;
/** They separate or quote the items of the settings that hold the path: the server's list of folders, the loader's. */
const listCharacters = /[\s,:;"'$\\]/;
const unusable = ['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'EROFS', 'ENOSPC'];

/** The folder with the server's socket. */
export interface SocketDir {
  path: string;
  /** Where links to libraries may be made; absent until then. */
  libraries: string;
  /** Removes the folder with the socket in it; fine when it is gone. */
  remove(): Promise<void>;
}

/**
 * Makes the folder for the socket: in the temporary folder, since a data directory's path may be longer than the
 * path of a socket can be. Only the account (and root) may enter it, which is why the server can trust its socket.
 */
export async function makeSocketDir(name: string, account: Account): Promise<SocketDir> {
  const path = await makeInFirstFit(name, account);
  await giveTo(path, account);
  await chmod(path, 0o700);
  await clear(path);
  return { path, libraries: join(path, librariesName), remove: () => remove(path) };
}

/** The first temporary folder that is short and plain enough, can be passed by the account and takes a folder of ours. */
async function makeInFirstFit(name: string, account: Account): Promise<string> {
  for (const parent of [resolve(tmpdir()), '/tmp']) {
    const fits = Buffer.byteLength(join(parent, name, socketName)) <= pathBytesMax && !listCharacters.test(parent);
    const usable = fits && (await closedFolder(parent, account)) === undefined;
    const made = usable ? await unless(unusable, makeGuarded(join(parent, name), account)) : undefined;
    if (made !== undefined) return made;
  }
  throw new DatabaseStartError(
    `User ${account.name} can use neither the temporary folder ${tmpdir()} nor /tmp for the database's socket: set TMPDIR to a short path that this user can reach.`,
  );
}

/**
 * The name can be guessed and the temporary folder is everybody's. A folder that a stranger put there (or a link)
 * is left alone and passed by, so that nobody can stop a start by taking the name first.
 */
async function makeGuarded(path: string, account: Account): Promise<string> {
  const making = mkdir(path, { mode: 0o700 }).then(() => true);
  if (await unless(['EEXIST'], making)) return path;
  const stats = await lstat(path);
  const ours = stats.isDirectory() && [account.uid, process.getuid?.()].includes(stats.uid);
  return ours ? path : mkdtemp(`${path}-`);
}

async function remove(path: string): Promise<void> {
  await clear(path);
  await unless([...unusable, 'ENOTEMPTY', 'EEXIST'], rmdir(path));
}

/** As root this is another user's folder, who could lead a recursive deletion astray: then only what is known. */
async function clear(path: string): Promise<void> {
  for (const name of await readdir(path).catch(() => [])) {
    if (name.startsWith(socketName)) await rm(join(path, name), { force: true });
    if (name === librariesName && !runsAsRoot()) await rm(join(path, name), { recursive: true, force: true });
  }
}
