import { lstat, mkdir, readdir, readFile, symlink } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { systemCode, unless } from './errors.ts';

interface Link {
  /** Both as paths below the folder that holds bin and lib. */
  source: string;
  target: string;
}

/**
 * The links between libraries that the package lists and does not hold: archives of npm carry no symbolic links, so
 * the package's install script makes them, and whoever blocks install scripts gets a PostgreSQL that does not load.
 */
export async function missingLinks(root: string): Promise<Link[]> {
  const text = await unless(['ENOENT'], readFile(join(root, 'pg-symlinks.json'), 'utf8'));
  const links = parseLinks(JSON.parse(text ?? '[]'));
  const present = await Promise.all(links.map((link) => unless(['ENOENT'], lstat(join(root, link.target)))));
  return links.filter((_, index) => present[index] === undefined);
}

/** Makes the links where they belong; false when that place is not writable. */
export async function makeLinks(root: string, links: readonly Link[]): Promise<boolean> {
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
 * Makes the links in a folder of their own, for the loader's search path: when the package is not writable this
 * spares a copy of its 60 MB. All libraries are linked there, for one that is loaded from a folder looks for the
 * next in the same folder.
 */
export async function makeLinksApart(root: string, links: readonly Link[], folder: string): Promise<void> {
  await unless(['EEXIST'], mkdir(folder, { mode: 0o700 }));
  const present = (await readdir(join(root, 'lib'))).map((name) => ({ source: `lib/${name}`, target: name }));
  for (const { source, target } of [...present, ...links]) {
    await makeLink(join(root, source), join(folder, basename(target)));
  }
}

/** Another process may make the same link at the same time: both want the same one. */
async function makeLink(source: string, path: string): Promise<void> {
  await unless(['EEXIST'], symlink(source, path));
}

/** The file names paths from the package's folder, so each starts with "native/". */
function parseLinks(list: unknown): Link[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap(({ source, target }: { source?: unknown; target?: unknown }) =>
    typeof source === 'string' && typeof target === 'string'
      ? [{ source: relative('native', source), target: relative('native', target) }]
      : [],
  );
}
