import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { testFolder, testPostgres, urlOf } from '@shiplog/testing';
import { test } from 'vitest';
import { installedPostgres } from './recipes.ts';

if (installedPostgres === undefined) {
  process.stderr.write('backup: tests that need pg_dump are skipped: no PostgreSQL in /usr/lib/postgresql\n');
}

/** A test that needs PostgreSQL and its client programs. */
export const testWithClients = test.skipIf(installedPostgres === undefined);

/** A database server for a test, from the machine's PostgreSQL. */
export interface Server {
  readonly dataDir: string;
  /** A folder for backups. Both this process and the server's user can write to it. */
  readonly folder: string;
  readonly account: { readonly uid: number; readonly gid: number };
  urlOf(database: string): string;
  stop(): Promise<void>;
}

/** Starts a server on a data folder (a new one by default). The server is stopped when the test ends. */
export async function startServer(dataDir?: string): Promise<Server> {
  const folder = await testFolder();
  const server = await testPostgres({
    dataDir: dataDir ?? join(folder, 'data'),
    ...(installedPostgres !== undefined && { binaries: installedPostgres }),
  });
  const { uid, gid } = await stat(server.dataDir);
  return {
    dataDir: server.dataDir,
    folder,
    account: { uid, gid },
    urlOf: (database) => urlOf(server, database),
    stop: () => server.stop(),
  };
}
