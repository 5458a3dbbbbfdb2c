import pg from 'pg';

/** An arbitrary key that nothing else in the same database uses. */
const lockKey = 7_214_803_119;
const lockNotAvailable = '55P03';
/** Bounds a migration, which may rewrite a large log, and the wait for an instance that is applying one. */
export const migrationMs = 3_600_000;

/** Another session is migrating and does not finish. */
export class EndlessMigration extends Error {}

/**
 * Takes the migration lock for this session; logs the wait for an instance that has it.
 * @throws EndlessMigration if that instance itself waits for a standby, or does not finish.
 */
export async function takeMigrationLock(
  client: pg.Client,
  { log, roundMs }: { readonly log: (line: string) => void; readonly roundMs: number },
): Promise<void> {
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
    if (error instanceof pg.DatabaseError && error.code === lockNotAvailable) return false;
    throw error;
  } finally {
    await client.query('reset lock_timeout');
  }
}

/** The process that is migrating, and what it waits for if this user may see it; `undefined` if it has just ended. */
async function lockHolder(client: pg.Client): Promise<{ pid: number; wait: string | null } | undefined> {
  const { rows } = await client.query<{ pid: number; wait: string | null }>(
    `select pid, wait_event as wait from pg_locks join pg_stat_activity using (pid)
     where locktype = 'advisory' and granted and (classid::bigint << 32) | objid::bigint = $1
       and database = (select oid from pg_database where datname = current_database())`,
    [lockKey],
  );
  return rows[0];
}

/** The sentence about a migration that does not finish. */
export async function whyEndless(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ standbys: string; waits: boolean }>(`
    select current_setting('synchronous_standby_names') as standbys,
      exists (select from pg_stat_activity where wait_event = 'SyncRep') as waits`);
  if (rows[0]?.waits) {
    return `The migration can't be committed: the database is waiting for a synchronous standby that does not answer (synchronous_standby_names is ${JSON.stringify(rows[0].standbys)}). Start that standby or remove it from the setting, then start Shiplog again.`;
  }
  return 'The migration does not finish. Check pg_stat_activity for what it is waiting for, fix that, then start Shiplog again.';
}
