import { chmod, copyFile, mkdir, readdir, readlink, rename, rm, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { type Account, runsAsRoot } from './account.ts';
import { type Binaries, binariesAt } from './binaries.ts';
import { DatabaseStartError, ignoring, systemCode } from './errors.ts';
import { makeOpenFolder } from './folder.ts';
import { makeLinks, makeLinksApart, missingLinks } from './library-links.ts';
import { isRunning } from './process-table.ts';
import { closedFolder, isReadable } from './reach.ts';

/** A PostgreSQL that an account can load and run. */
export interface Installation {
  binaries: Binaries;
  /** A folder that the loader must search first. */
  libraries?: string;
}

/** One of each kind is enough: the umask under which npm unpacks a package applies to all its files. */
const samples = ['bin/postgres', 'bin/initdb', 'lib', 'lib/postgresql', 'share/postgresql/postgres.bki'];

/**
 * Makes the binaries usable for the account: in place, with their library links, or as a copy below `rootDir` when the
 * account cannot reach the folders of root. A PostgreSQL that did not come with the program is used as it is.
 */
export async function install(options: {
  binaries: Binaries;
  account: Account;
  /** For copies that root makes. */
  rootDir: string;
  /** For links that cannot be made in the package, when this is not root. */
  linkDir: string;
  log: (line: string) => void;
}): Promise<Installation> {
  const { binaries, account, rootDir, linkDir, log } = options;
  if (binaries.build === undefined) return { binaries: await requireReachable(binaries, account) };
  const open = !runsAsRoot() || (await isOpen(binaries.root, account));
  const missing = await missingLinks(binaries.root);
  if (open && (missing.length === 0 || (await makeLinks(binaries.root, missing)))) return { binaries };
  if (runsAsRoot()) return { binaries: await copied(binaries, binaries.build, rootDir, log) };
  await makeLinksApart(binaries.root, missing, linkDir);
  return { binaries, libraries: linkDir };
}

async function requireReachable(binaries: Binaries, account: Account): Promise<Binaries> {
  const closed = runsAsRoot() ? await closedFolder(join(binaries.root, 'bin'), account) : undefined;
  if (closed === undefined) return binaries;
  throw new DatabaseStartError(
    `PostgreSQL runs as user ${account.name}, who can't enter the folder ${closed}, which leads to ${binaries.root}. Open that folder with chmod o+x.`,
  );
}

async function isOpen(root: string, account: Account): Promise<boolean> {
  if ((await closedFolder(root, account)) !== undefined) return false;
  const readable = await Promise.all(samples.map((sample) => isReadable(join(root, sample), account)));
  return readable.every(Boolean);
}

/**
 * Copies under a temporary name and renames, so that the folder is complete whenever it exists. Of two processes that
 * copy at the same time, the later one uses the copy of the other.
 */
async function copied(
  binaries: Binaries,
  build: string,
  rootDir: string,
  log: (line: string) => void,
): Promise<Binaries> {
  const target = join(rootDir, `postgres-${build}`);
  if ((await ignoring(['ENOENT'], stat(target))) === undefined) {
    await makeOpenFolder(rootDir);
    await removeAbandoned(rootDir);
    const unfinished = `${target}.copy-${process.pid}`;
    await copyOpen(binaries.root, unfinished);
    await makeLinks(unfinished, await missingLinks(unfinished));
    await moveUnlessPresent(unfinished, target);
    log(`copying PostgreSQL to ${target}, because its user can't use ${binaries.root}`);
  }
  return binariesAt(target, binaries);
}

async function moveUnlessPresent(unfinished: string, target: string): Promise<void> {
  try {
    await rename(unfinished, target);
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST'].includes(systemCode(error) ?? '')) throw error;
    await rm(unfinished, { recursive: true, force: true });
  }
}

/** Removes copies of processes that died before they had finished. */
async function removeAbandoned(rootDir: string): Promise<void> {
  const names = (await readdir(rootDir)).filter(
    (name) => !isRunning(Number(/\.copy-(\d+)$/.exec(name)?.[1] ?? process.pid)),
  );
  await Promise.all(names.map((name) => rm(join(rootDir, name), { recursive: true, force: true })));
}

/** Copies so that every user can read the files and enter the folders, whatever the umask was when npm unpacked them. */
async function copyOpen(from: string, to: string): Promise<void> {
  await rm(to, { recursive: true, force: true });
  await mkdir(to);
  await chmod(to, 0o755);
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const source = join(from, entry.name);
    const target = join(to, entry.name);
    if (entry.isDirectory()) await copyOpen(source, target);
    else if (entry.isSymbolicLink()) await symlink(await readlink(source), target);
    else await copyFileOpen(source, target);
  }
}

async function copyFileOpen(source: string, target: string): Promise<void> {
  await copyFile(source, target);
  const { mode } = await stat(source);
  await chmod(target, mode & 0o100 ? 0o755 : 0o644);
}
