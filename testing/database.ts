import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { inject, onTestFinished } from 'vitest';

export interface TestDatabase {
  readonly url: string;
  /** Drops the database, even if clients are connected. */
  drop(): Promise<void>;
}

/**
 * Clones a database, by default the migrated template (about 15 ms). Separate databases also have separate notification
 * channels.
 */
export async function cloneDatabase(template = inject('templateDatabase')): Promise<TestDatabase> {
  const name = `shiplog_test_${randomUUID().replaceAll('-', '')}`;
  await administer(`create database ${name} template ${template}`);
  const url = new URL(inject('serverUrl'));
  url.pathname = `/${name}`;
  return { url: url.href, drop: async () => void (await administer(`drop database if exists ${name} with (force)`)) };
}

/** Like `cloneDatabase`, but drops the database when the test ends. */
export async function testDatabase(): Promise<TestDatabase> {
  const database = await cloneDatabase();
  onTestFinished(() => database.drop());
  return database;
}

/** Runs one statement and returns its rows. */
export async function runSql<Row extends object>(url: string, text: string, values: unknown[] = []): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.end();
  }
}

/** Marks the folds as behind after events were stored without the service, with old ids. */
export const storedBeneath = `
  update folds set tick = -1;
  update log_heads set last_tick = greatest(last_tick, log_tick(clock_timestamp())) where log = 'deployments'`;

/** Removes everything that a reset clears from a log, without a reset. */
export async function emptyLog(url: string): Promise<void> {
  await runSql(url, 'delete from deployments; delete from latest_deployments');
}

/** One session for all databases of a worker: opening a session costs the server as much as many statements. */
let administration: Promise<pg.Client> | undefined;

/** Runs a statement in the server's maintenance database, in the session of this worker. Returns its rows. */
export async function administer(statement: string): Promise<object[]> {
  administration ??= openAdministration();
  return (await (await administration).query<object>(statement)).rows;
}

async function openAdministration(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: inject('serverUrl') });
  client.on('error', () => {
    administration = undefined;
  });
  await client.connect();
  return client;
}
