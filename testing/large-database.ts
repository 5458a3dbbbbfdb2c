import { eventAt, largeDataset } from '@shiplog/scenarios';
import { inject } from 'vitest';
import { appendAll } from './bulk-append.ts';
import { administer, cloneDatabase, runSql, storedBeneath, type TestDatabase } from './database.ts';
import { runService } from './service.ts';
import { until } from './until.ts';

const minuteMs = 60_000;
/** The advisory lock of the worker that fills the database for all. */
const fillingLock = 7_212_004;
let filling: Promise<void> | undefined;

/** The name of the filled database that all tests of a run clone. */
export function largeDatabaseOf(templateDatabase: string): string {
  return `${templateDatabase}_large`;
}

/** A database with the large dataset. The first call in a run takes seconds to fill it; the others clone it. */
export async function cloneLargeDatabase(): Promise<TestDatabase> {
  const name = largeDatabaseOf(inject('templateDatabase'));
  filling ??= fillOnce(name);
  await filling;
  return cloneDatabase(name);
}

async function fillOnce(name: string): Promise<void> {
  await administer(`select pg_advisory_lock(${fillingLock})`);
  const existing = await administer(`select from pg_database where datname = '${name}'`);
  if (existing.length === 0) {
    const { url } = await cloneDatabase();
    await storeLargeDataset(url);
    await fold(url);
    await administer(`alter database ${new URL(url).pathname.slice(1)} rename to ${name}`);
  }
  await administer(`select pg_advisory_unlock(${fillingLock})`);
}

/** Brings the folds up to the end of the log, as they are on a service in use. */
async function fold(databaseUrl: string): Promise<void> {
  const service = await runService({ databaseUrl });
  const behind = `select from folds, log_heads where log = 'deployments' and (tick < 0 or tick < last_tick)`;
  await until(async () => (await runSql(databaseUrl, behind)).length === 0);
  await service.stop();
}

/**
 * Stores the events of `largeDataset` in an empty log, as if they had arrived over the past months. The API would take
 * many times as long, and all events would have arrived now.
 */
export async function storeLargeDataset(databaseUrl: string): Promise<void> {
  const dataset = largeDataset();
  const now = new Date();
  const events = dataset.map(({ event, reporter }) => ({
    ...eventAt(event, now),
    ...(reporter === null ? {} : { progress_reporter: reporter }),
  }));
  const ids = await appendAll(databaseUrl, events);
  let before = 0;
  const arrivals = dataset.map(({ arrivalAge }) => {
    // Distinct times keep the events in order.
    before = Math.max(before + 1, Math.round(now.getTime() - arrivalAge * minuteMs));
    return before;
  });
  await runSql(databaseUrl, moveArrivals, [ids, arrivals]);
  await runSql(databaseUrl, storedBeneath);
  await runSql(databaseUrl, 'vacuum analyze');
}

/** The first 48 bits of an id are the time of arrival. */
const moveArrivals = `
  with moved as (
    select old, (lpad(to_hex(ms), 12, '0') || substr(replace(old::text, '-', ''), 13))::uuid as id
    from unnest($1::uuid[], $2::bigint[]) as arrival (old, ms)
  ), latest as (
    update latest_deployments set id = moved.id from moved where latest_deployments.id = moved.old
  )
  update deployments set id = moved.id, event = replace(event, moved.old::text, moved.id::text)
  from moved where deployments.id = moved.old`;
