import { lstat, mkdir, readdir, readFile, symlink } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { ignoring, systemCode } from './errors.ts';

interface Link {
  /** Both as paths below the folder that holds bin and lib. */
  source: string;
  target: string;
}

/**
 * The links between libraries that the package lists but does not contain: npm archives contain no symbolic links, so the
 * install script of the package makes them, and where install scripts are blocked PostgreSQL does not load.
 */
export async function missingLinks(root: string): Promise<Link[]> {
  const text = await ignoring(['ENOENT'], readFile(join(root, 'pg-symlinks.json'), 'utf8'));
  const links = parseLinks(JSON.parse(text ?? '[]'));
  const present = await Promise.all(links.map((link) => ignoring(['ENOENT'], lstat(join(root, link.target)))));
  return links.filter((_, index) => present[index] === undefined);
}

/** Makes the links in the package; false when it is not writable. */
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
 * Makes the links in a separate folder for the search path of the loader. When the package is not writable, this saves a
 * copy of its 60 MB. All libraries are linked there, because a library looks for others in the folder it was loaded from.
 */
export async function makeLinksApart(root: string, links: readonly Link[], folder: string): Promise<void> {
  await ignoring(['EEXIST'], mkdir(folder, { mode: 0o700 }));
  const present = (await readdir(join(root, 'lib'))).map((name) => ({ source: `lib/${name}`, target: name }));
  for (const { source, target } of [...present, ...links]) {
    await makeLink(join(root, source), join(folder, basename(target)));
  }
}

/** Another process may make the same link at the same time. */
async function makeLink(source: string, path: string): Promise<void> {
  await ignoring(['EEXIST'], symlink(source, path));
}

/** Paths in the file start at the folder of the package, so each begins with "native/". */
function parseLinks(list: unknown): Link[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap(({ source, target }: { source?: unknown; target?: unknown }) =>
    typeof source === 'string' && typeof target === 'string'
      ? [{ source: relative('native', source), target: relative('native', target) }]
      : [],
  );
}
