import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { withClient } from './client.ts';
import type { Connection } from './connection.ts';
import { isSilence } from './errors.ts';
import { EndlessMigration, migrationMs, takeMigrationLock, whyEndless } from './migration-lock.ts';

/** The database is not at the schema of this version and cannot be brought there; the message says what to do. */
export class MigrationError extends Error {}

const migrationsDir = fileURLToPath(new URL('../../migrations/', import.meta.url));
const insufficientPrivilege = '42501';
/** For the statements around a migration, above all commits: one that waits for a synchronous standby may never end. */
const answerMs = 30_000;

interface Migration {
  readonly name: string;
  readonly text: string;
  readonly checksum: string;
}

async function migrations(): Promise<Migration[]> {
  const names = (await readdir(migrationsDir)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(`${migrationsDir}${name}`, 'utf8');
      return { name, text, checksum: createHash('sha256').update(text).digest('hex') };
    }),
  );
}

export interface MigrateOptions {
  /** Receives a line about steps that may take a while. */
  readonly log?: (line: string) => void;
  readonly signal?: AbortSignal | undefined;
  readonly answerMs?: number;
}

/**
 * Brings the database to the schema of this version; returns the names of the applied migrations. Instances that start
 * at the same time wait for each other on a session lock. Each migration is one transaction with its record.
 *
 * @throws MigrationError when an applied migration was edited, the database is ahead of this version, this user may not
 *   apply what is missing, or a migration does not finish.
 */
export async function migrate(connection: Connection, options: MigrateOptions = {}): Promise<string[]> {
  const known = await migrations();
  const limits = { answerMs, signal: undefined, ...options };
  const log = options.log ?? (() => undefined);
  try {
    return await withClient(connection, limits, async (client) => {
      await takeMigrationLock(client, { log, roundMs: limits.answerMs });
      return await applyMissing(client, known, log);
    });
  } catch (error) {
    if (!(error instanceof EndlessMigration || isSilence(error))) throw error;
    throw new MigrationError(await withClient(connection, limits, whyEndless), { cause: error });
  }
}

async function applyMissing(
  client: pg.Client,
  known: readonly Migration[],
  log: (line: string) => void,
): Promise<string[]> {
  const applied = await appliedChecksums(client);
  for (const [name, checksum] of applied) {
    const migration = known.find((candidate) => candidate.name === name);
    if (!migration)
      throw new MigrationError(
        `The database has the migration ${name}, which this version of Shiplog doesn't know. Start the version that applied it, or a newer one.`,
      );
    if (migration.checksum !== checksum)
      throw new MigrationError(
        `The database was migrated with a different ${name} than this version of Shiplog has. Start the version that applied it, or use another database.`,
      );
  }
  const missing = known.filter((migration) => !applied.has(migration.name));
  if (missing.length > 0) log('Migrating the database (this can take a while on a large log)');
  if (applied.size === 0) {
    await client.query(
      'create table if not exists schema_migrations (name text primary key, checksum text not null, applied_at timestamptz not null default now())',
    );
  }
  for (const migration of missing) await apply(client, migration);
  return missing.map((migration) => migration.name);
}

/** By name; empty if the database was never migrated. */
async function appliedChecksums(client: pg.Client): Promise<Map<string, string>> {
  const { rows: exists } = await client.query<{ exists: boolean }>(
    `select to_regclass('schema_migrations') is not null as exists`,
  );
  if (!exists[0]?.exists) return new Map();
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'select name, checksum from schema_migrations',
  );
  return new Map(rows.map((row) => [row.name, row.checksum]));
}

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  await client.query('begin');
  try {
    const statement = { text: migration.text, query_timeout: migrationMs };
    await client.query(statement);
    await client.query('insert into schema_migrations (name, checksum) values ($1, $2)', [
      migration.name,
      migration.checksum,
    ]);
    await client.query('commit');
  } catch (error) {
    // The connection is still waiting for its answer.
    if (isSilence(error)) throw error;
    await client.query('rollback').catch(() => undefined);
    if (!(error instanceof pg.DatabaseError && error.code === insufficientPrivilege)) throw error;
    throw new MigrationError(
      `The database needs the migration ${migration.name}, but the user of DATABASE_URL isn't allowed to apply it (${error.message}). Start this version once as the owner of the tables, then again as this user.`,
    );
  }
}
