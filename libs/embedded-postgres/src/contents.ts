import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseStartError, ignoring } from './errors.ts';

/**
 * A "cluster" may not be moved into place yet (see cluster.ts). An "empty" folder may have files left by a crashed
 * start.
 */
export type Contents = 'absent' | 'empty' | 'cluster' | 'foreign';

/** The prefix of this library's files in a data directory; PostgreSQL ignores unknown names. */
export const ownPrefix = 'shiplog.';
/** A complete cluster, not yet moved into place. */
export const readyName = `${ownPrefix}ready`;
/** The prefix of a folder in which initdb creates a cluster; six random letters follow. */
export const initPrefix = `${ownPrefix}init-`;
/** PostgreSQL recognises a data directory by this file; it contains the major version. */
export const versionName = 'PG_VERSION';

/** @throws DatabaseStartError if it is not a folder. */
export async function contentsOf(dataDir: string): Promise<Contents> {
  const stats = await ignoring(['ENOENT'], stat(dataDir));
  if (stats === undefined) return 'absent';
  if (!stats.isDirectory()) {
    throw new DatabaseStartError(`${dataDir} is not a folder. Point DATA_DIR at a new or empty folder.`);
  }
  const names = await readdir(dataDir);
  if (names.includes(versionName) || names.includes(readyName)) return 'cluster';
  return names.every((name) => name.startsWith(ownPrefix)) ? 'empty' : 'foreign';
}

/** @throws DatabaseStartError if the directory contains another major version's cluster, or other files. */
export async function refuseForeign(dataDir: string, contents: Contents, major: number): Promise<void> {
  if (contents === 'foreign') {
    throw new DatabaseStartError(
      `${dataDir} is neither empty nor a PostgreSQL data directory. Point DATA_DIR at a new or empty folder.`,
    );
  }
  if (contents !== 'cluster') return;
  const found = (await readVersion(dataDir)) ?? (await readVersion(join(dataDir, readyName)));
  if (found === undefined || found === String(major)) return;
  if (!/^\d+(\.\d+)?$/.test(found)) {
    throw new DatabaseStartError(
      `The data directory ${dataDir} is damaged (its file ${versionName} has no version). Restore it from a backup, or point DATA_DIR at a new folder.`,
    );
  }
  throw new DatabaseStartError(
    `The data directory ${dataDir} was written by PostgreSQL ${found}, but this program includes PostgreSQL ${major}. Dump it with PostgreSQL ${found} and restore it into a new one, or point DATA_DIR at a new folder.`,
  );
}

async function readVersion(dir: string): Promise<string | undefined> {
  return (await ignoring(['ENOENT'], readFile(join(dir, versionName), 'utf8')))?.trim();
}
