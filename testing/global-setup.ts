import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@shiplog/embedded-postgres';
import { migrate } from '@shiplog/service/migrate';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { makeFolder, removeAbandonedFolders, removeFolder } from './folder.ts';
import { largeDatabaseOf } from './large-database.ts';
import { urlOf } from './postgres-server.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The URL of the test server's maintenance database. */
    readonly serverUrl: string;
    /** The migrated database that each test file clones. */
    readonly templateDatabase: string;
    /** An unused data directory that tests copy, because running initdb takes ten times as long. */
    readonly emptyCluster: string;
  }
}

/**
 * One database server for the whole run: the server at `TEST_DATABASE_URL`, a server started from the binaries in
 * `TEST_POSTGRES_BINARIES`, or the embedded server. Each test file clones its own database from a migrated template.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await removeAbandonedFolders();
  const folder = await makeFolder();
  const emptyCluster = join(folder, 'empty');
  await (await startEmbeddedPostgres({ dataDir: emptyCluster, settings: { fsync: 'off' } })).stop();
  const server = await testServer(folder, emptyCluster);
  const templateDatabase = `shiplog_template_${process.pid}`;
  const admin = new pg.Client({ connectionString: server.url });
  await admin.connect();
  await admin.query(`create database ${templateDatabase} encoding 'UTF8' template template0`);
  await migrate({ connectionString: databaseUrl(server.url, templateDatabase) });
  project.provide('serverUrl', server.url);
  project.provide('templateDatabase', templateDatabase);
  project.provide('emptyCluster', emptyCluster);
  return async () => {
    for (const name of [largeDatabaseOf(templateDatabase), templateDatabase]) {
      await admin.query(`drop database if exists ${name} with (force)`);
    }
    await admin.end();
    await server.stop();
    await removeFolder(folder);
  };
}

async function testServer(folder: string, emptyCluster: string): Promise<{ url: string; stop: () => Promise<void> }> {
  const external = process.env.TEST_DATABASE_URL;
  if (external !== undefined) return { url: external, stop: async () => undefined };
  const dataDir = join(folder, 'data');
  const binaries = process.env.TEST_POSTGRES_BINARIES;
  if (binaries === undefined) execFileSync('cp', ['-a', emptyCluster, dataDir]);
  const server = await startEmbeddedPostgres({
    dataDir,
    database: 'shiplog',
    // Safe in tests, because the operating system already has everything that a killed server wrote. Only a power
    // failure would lose it.
    settings: { max_connections: '300', fsync: 'off', full_page_writes: 'off' },
    ...(binaries === undefined ? {} : { binaries }),
  });
  return { url: urlOf(server), stop: () => server.stop() };
}

function databaseUrl(serverUrl: string, database: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  return url.href;
}
