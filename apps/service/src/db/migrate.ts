import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { type Connection, withClient } from './connection.ts';
import { isLockTimeout, isSilence } from './errors.ts';

/** Thrown if the schema can't be migrated to this version. The message says what to do. */
export class MigrationError extends Error {}

const migrationsDir = fileURLToPath(new URL('../../migrations/', import.meta.url));
const insufficientPrivilege = '42501';
/**
 * The timeout of statements around a migration, because a commit that waits for a synchronous standby may never end.
 */
const answerMs = 30_000;
/** An arbitrary key that is not used elsewhere in the database. */
const lockKey = 7_214_803_119;
/**
 * The timeout of a migration, which may rewrite a large log. Also limits the wait for another instance that is
 * migrating.
 */
const migrationMs = 3_600_000;

type Migration = Awaited<ReturnType<typeof migrations>>[number];

async function migrations() {
  const names = (await readdir(migrationsDir)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(`${migrationsDir}${name}`, 'utf8');
      return { name, text, checksum: createHash('sha256').update(text).digest('hex') };
    }),
  );
}

interface MigrateOptions {
  /** Called with a line about steps that may take a while. */
  readonly log?: (line: string) => void;
  readonly signal?: AbortSignal | undefined;
  readonly answerMs?: number;
}

/**
 * Migrates to the schema of this version. Returns the names of the applied migrations. Instances that start at the same
 * time wait for each other on a session lock.
 * @throws MigrationError
 */
export async function migrate(connection: Connection, options: MigrateOptions = {}): Promise<string[]> {
  const known = await migrations();
  const limits = { answerMs, signal: undefined, ...options };
  const log = options.log ?? (() => undefined);
  try {
    return await withClient(connection, limits, async (client) => {
      await takeMigrationLock(client, log, limits.answerMs);
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
        `The database has the migration ${name}, which this version of Shiplog doesn't know. Start the version that applied it or a newer one, or restore a backup made before the upgrade.`,
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

async function appliedChecksums(client: pg.Client): Promise<Map<string, string>> {
  const { rows: exists } = await client.query(`select to_regclass('schema_migrations') is not null as exists`);
  if (!exists[0].exists) return new Map();
  const { rows } = await client.query<Migration>('select name, checksum from schema_migrations');
  return new Map(rows.map(({ name, checksum }) => [name, checksum]));
}

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  await client.query('begin');
  try {
    const statement = { text: migration.text, query_timeout: migrationMs };
    await client.query(statement);
    const { name, checksum } = migration;
    await client.query('insert into schema_migrations (name, checksum) values ($1, $2)', [name, checksum]);
    await client.query('commit');
  } catch (error) {
    // The connection is still waiting for a response.
    if (isSilence(error)) throw error;
    await client.query('rollback').catch(() => undefined);
    if (!(error instanceof pg.DatabaseError && error.code === insufficientPrivilege)) throw error;
    throw new MigrationError(
      `The database needs the migration ${migration.name}, but the user of DATABASE_URL isn't allowed to apply it (${error.message}). Start this version once as the owner of the tables, then again as this user.`,
    );
  }
}

/** Thrown if another session is migrating and does not finish. */
class EndlessMigration extends Error {}

/** @throws EndlessMigration if the instance that holds the lock waits for a standby or does not finish. */
async function takeMigrationLock(client: pg.Client, log: (line: string) => void, roundMs: number): Promise<void> {
  const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [lockKey]);
  if (rows[0]?.taken) return;
  for (let waitedMs = 0; waitedMs < migrationMs; waitedMs += roundMs) {
    const holder = await lockHolder(client);
    if (waitedMs > 0 && holder?.wait === 'SyncRep') throw new EndlessMigration();
    const who = holder ? ` (process ${holder.pid} of its server)` : '';
    log(`waiting for another instance to finish migrating the database${who}`);
    if (await isLockedWithin(client, roundMs)) return;
  }
  throw new EndlessMigration();
}

async function isLockedWithin(client: pg.Client, ms: number): Promise<boolean> {
  await client.query(`set lock_timeout = ${ms}`);
  const statement = { text: 'select pg_advisory_lock($1)', values: [lockKey], query_timeout: 2 * ms };
  try {
    await client.query(statement);
    return true;
  } catch (error) {
    if (isLockTimeout(error)) return false;
    throw error;
  } finally {
    await client.query('reset lock_timeout');
  }
}

/** The process that is migrating, and what it is waiting for (if this user is allowed to see that). */
async function lockHolder(client: pg.Client) {
  const { rows } = await client.query<{ pid: number; wait: string | null }>(
    `select pid, wait_event as wait from pg_locks join pg_stat_activity using (pid)
     where locktype = 'advisory' and granted and (classid::bigint << 32) | objid::bigint = $1
       and database = (select oid from pg_database where datname = current_database())`,
    [lockKey],
  );
  return rows[0];
}

async function whyEndless(client: pg.Client): Promise<string> {
  const { rows } = await client.query(`
    select current_setting('synchronous_standby_names') as standbys,
      exists (select from pg_stat_activity where wait_event = 'SyncRep') as waits`);
  if (rows[0].waits) {
    return `The migration can't be committed: the database is waiting for a synchronous standby that is not responding (synchronous_standby_names is ${JSON.stringify(rows[0].standbys)}). Start that standby or remove it from the setting, then start Shiplog again.`;
  }
  return 'The migration does not finish. Check pg_stat_activity for what it is waiting for, fix that, then start Shiplog again.';
}
