import {
  chmod,
  copyFile,
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  stat,
  symlink,
} from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { type Account, runsAsRoot } from './account.ts';
import { type Binaries, binariesAt } from './binaries.ts';
import { DatabaseStartError, ignoring, systemCode } from './errors.ts';
import { makeOpenFolder } from './folder.ts';
import { isRunning } from './process-table.ts';
import { closedFolder, isReadable } from './reach.ts';

/** A PostgreSQL that an account can load and run. */
interface Installation {
  binaries: Binaries;
  /** A folder that the loader must search first. */
  libraries?: string;
}

/** Checking one file of each kind is enough, because npm unpacks all files of a package under the same umask. */
const samples = ['bin/postgres', 'bin/initdb', 'lib', 'lib/postgresql', 'share/postgresql/postgres.bki'];

/**
 * Makes the bundled PostgreSQL usable for the account: in place, or as a copy below `rootDir` if the account can't
 * access root's folders.
 */
export async function install(options: {
  binaries: Binaries;
  account: Account;
  /** The folder for copies made by root. */
  rootDir: string;
  /** The folder for links, if this user can't write to the package. */
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
    `PostgreSQL runs as user ${account.name}, who can't enter the folder ${closed} on the path to ${binaries.root}. Open that folder with chmod o+x.`,
  );
}

async function isOpen(root: string, account: Account): Promise<boolean> {
  if ((await closedFolder(root, account)) !== undefined) return false;
  const readable = await Promise.all(samples.map((sample) => isReadable(join(root, sample), account)));
  return readable.every(Boolean);
}

/**
 * Copies under a temporary name, so that the folder is complete once it exists. Processes may copy at the same time.
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

/** Removes unfinished copies of processes that died. */
async function removeAbandoned(rootDir: string): Promise<void> {
  const names = (await readdir(rootDir)).filter(
    (name) => !isRunning(Number(/\.copy-(\d+)$/.exec(name)?.[1] ?? process.pid)),
  );
  await Promise.all(names.map((name) => rm(join(rootDir, name), { recursive: true, force: true })));
}

/** Copies so that every user can read the files and enter the folders. */
async function copyOpen(from: string, to: string): Promise<void> {
  await rm(to, { recursive: true, force: true });
  await mkdir(to);
  await chmod(to, 0o755);
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const source = join(from, entry.name);
    const target = join(to, entry.name);
    if (entry.isDirectory()) await copyOpen(source, target);
    else if (entry.isSymbolicLink()) await symlink(await readlink(source), target);
    else {
      await copyFile(source, target);
      await chmod(target, (await stat(source)).mode & 0o100 ? 0o755 : 0o644);
    }
  }
}

/** A symbolic link to a library; both paths are below the folder with bin and lib. */
interface Link {
  source: string;
  target: string;
}

/** npm archives can't contain links. If the package's install script was blocked, they are missing. */
export async function missingLinks(root: string): Promise<Link[]> {
  const text = await ignoring(['ENOENT'], readFile(join(root, 'pg-symlinks.json'), 'utf8'));
  const listed: Link[] = JSON.parse(text ?? '[]');
  // The listed paths begin with "native/".
  const links = listed.map((link) => ({
    source: relative('native', link.source),
    target: relative('native', link.target),
  }));
  const present = await Promise.all(links.map((link) => ignoring(['ENOENT'], lstat(join(root, link.target)))));
  return links.filter((_, index) => present[index] === undefined);
}

/** Creates the links in the package; false if it is not writable. */
async function makeLinks(root: string, links: readonly Link[]): Promise<boolean> {
  try {
    for (const { source, target } of links) {
      await makeLink(relative(dirname(target), source), join(root, target));
    }
    return true;
  } catch (error) {
    if (['EACCES', 'EPERM', 'EROFS'].includes(systemCode(error) ?? '')) return false;
    throw error;
  }
}

/**
 * Creates the links in a folder on the loader's search path, which avoids a copy of 60 MB. Links all libraries, because
 * a library looks for others in the folder that it was loaded from.
 */
async function makeLinksApart(root: string, links: readonly Link[], folder: string): Promise<void> {
  await ignoring(['EEXIST'], mkdir(folder, { mode: 0o700 }));
  const present = (await readdir(join(root, 'lib'))).map((name) => ({ source: `lib/${name}`, target: name }));
  for (const { source, target } of [...present, ...links]) {
    await makeLink(join(root, source), join(folder, basename(target)));
  }
}

/** Another process may create the link at the same time. */
async function makeLink(source: string, path: string): Promise<void> {
  await ignoring(['EEXIST'], symlink(source, path));
}
