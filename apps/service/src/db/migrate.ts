import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { type Connection, connectTimeoutMs } from './database.ts';

/** The database is not at the schema of this version and cannot be brought there; the message says what to do. */
export class MigrationFault extends Error {}

const migrationsDir = fileURLToPath(new URL('../../migrations/', import.meta.url));
/** Any number will do, as long as nothing else in the same database takes it. */
const lockKey = 7_214_803_119;
const insufficientPrivilege = '42501';

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

/**
 * Brings the database to the schema of this version; gives the names of what it applied. Instances that start at the
 * same time wait for one another on a lock of the session. Each migration is one transaction with its own record.
 *
 * @throws MigrationFault when a migration was edited after it had been applied, the database is ahead of this version,
 *   or this user may not apply what is missing.
 */
export async function migrate(connection: Connection): Promise<string[]> {
  const known = await migrations();
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: connectTimeoutMs });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [lockKey]);
    return await applyMissing(client, known);
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function applyMissing(client: pg.Client, known: readonly Migration[]): Promise<string[]> {
  const { rows: exists } = await client.query<{ exists: boolean }>(
    `select to_regclass('schema_migrations') is not null as exists`,
  );
  if (!exists[0]?.exists) {
    await client.query(
      'create table schema_migrations (name text primary key, checksum text not null, applied_at timestamptz not null default now())',
    );
  }
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'select name, checksum from schema_migrations',
  );
  const applied = new Map(rows.map((row) => [row.name, row.checksum]));
  for (const [name, checksum] of applied) {
    const migration = known.find((candidate) => candidate.name === name);
    if (!migration)
      throw new MigrationFault(
        `The database has the migration ${name}, which this version of Shiplog does not know; start the version that wrote it, or a newer one.`,
      );
    if (migration.checksum !== checksum)
      throw new MigrationFault(
        `The database was migrated with another text of ${name} than this version of Shiplog has; start the version that wrote it, or name another database.`,
      );
  }
  const missing = known.filter((migration) => !applied.has(migration.name));
  for (const migration of missing) await apply(client, migration);
  return missing.map((migration) => migration.name);
}

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  await client.query('begin');
  try {
    await client.query(migration.text);
    await client.query('insert into schema_migrations (name, checksum) values ($1, $2)', [
      migration.name,
      migration.checksum,
    ]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    if (!(error instanceof pg.DatabaseError && error.code === insufficientPrivilege)) throw error;
    throw new MigrationFault(
      `The database lacks the migration ${migration.name}, which the user of DATABASE_URL may not apply (${error.message}); start this version once as the owner of the tables, then again as this user.`,
    );
  }
}
