import { type DeploymentEventIngest, nilId, statuses } from '@shiplog/contract';
import {
  anEvent,
  clientOf,
  countWaiting,
  isWaitedFor,
  listedEvents,
  metricsOf,
  NetworkProxy,
  openTransaction,
  postStored,
  type RunningService,
  runSql,
  StreamReader,
  testDatabase,
  testService,
  until,
} from '@shiplog/testing';
import { appendAll } from '@shiplog/testing/bulk-append';
import { expect, onTestFinished, test } from 'vitest';
import { pruneLockKey } from '../src/db/retention.ts';
import { expectDerived } from './support/derived.ts';
import { LogLines } from './support/reset.ts';
import { countStored, storedEvents } from './support/stored.ts';

const retentionDays = 90;
const never = 24 * 3_600_000;
/** Prunes once at the start. */
const once = { firstMs: 0, pruneEveryMs: never, purgeEveryMs: never };
/** Prunes continuously. */
const allTheTime = { ...once, pruneEveryMs: 10 };
const unpruned = { ...once, firstMs: never };

async function instance(databaseUrl: string, times: object, log?: LogLines): Promise<RunningService> {
  const pruneConfirm = Math.max(1, await countOld(databaseUrl));
  const config = { historyRetentionDays: retentionDays, pruneConfirm };
  return testService({ databaseUrl, config, times, ...(log && { log }) });
}

/** An event that is this many seconds younger than the retention. Negative values mean older. */
function nearBoundary(seconds: number, fields: Partial<DeploymentEventIngest> = {}): DeploymentEventIngest {
  const happenedAt = Date.now() - retentionDays * 24 * 3_600_000 + seconds * 1000;
  return anEvent({ happened_at: new Date(happenedAt).toISOString(), ...fields });
}

/** Events in few slots, all older than the retention by at least a minute. */
function oldEvents(count: number): DeploymentEventIngest[] {
  return Array.from({ length: count }, (_, n) =>
    nearBoundary(-60 - ((n * 7919) % 100_000), {
      service: `service-${n % 5}`,
      environment: ['dev', 'prod'][n % 2] ?? '',
      status: statuses[n % statuses.length] ?? 'success',
      ...(n % 3 > 0 && { version: `1.${n % 7}` }),
      ...(n % 4 > 0 && { sha: ['', 'AB', 'ab', 'ü'][n % 4] ?? '' }),
    }),
  );
}

/** The number of rows older than the retention by the database's clock. */
async function countOld(databaseUrl: string): Promise<number> {
  const [row] = await runSql<{ count: number }>(
    databaseUrl,
    `select count(*)::int as count from deployments where happened_at < now() - interval '${retentionDays} days'`,
  );
  return row?.count ?? 0;
}

test('events beyond the retention are removed while events arrive; others remain and derived tables are correct', async () => {
  const database = await testDatabase();
  await appendAll(database.url, oldEvents(2500));
  // Enough young rows, so that the rows to prune are always less than half of the log.
  await appendAll(
    database.url,
    Array.from({ length: 1500 }, () => nearBoundary(200_000, { service: 'young' })),
  );
  const services = await Promise.all([instance(database.url, allTheTime), instance(database.url, allTheTime)]);
  const posted = await Promise.all(
    Array.from({ length: 8 }, async (_, client) => {
      const answered = [];
      for (let n = 0; n < 40; n++) {
        const seconds = [-100_000, -61, -2, -1, 0, 1, 2, 3600, 100_000][(client + n) % 9] ?? 0;
        const event = nearBoundary(seconds, { service: `service-${n % 5}`, environment: 'dev' });
        answered.push(await postStored(services[n % 2]?.url ?? '', event));
      }
      return answered;
    }),
  );
  // Rows near the boundary become too old during this check.
  await until(async () => (await countOld(database.url)) === 0);
  const stored = new Set((await storedEvents(database.url)).map(({ id }) => id));
  const boundary = Date.now() - retentionDays * 24 * 3_600_000;
  const missing = posted.flat().filter(({ id }) => !stored.has(id));
  expect(missing.filter(({ happened_at }) => Date.parse(happened_at) >= boundary)).toEqual([]);
  expect(missing.length).toBeGreaterThan(100);
  await Promise.all(services.map((service) => service.stop()));
  const rows = await storedEvents(database.url);
  expect(rows.length).toBeGreaterThan(100);
  await expectDerived(database.url);
});

test('a slot that is pruned while a late event waits to be stored has that event as its latest', async () => {
  const database = await testDatabase();
  const writer = await instance(database.url, unpruned);
  await postStored(writer.url, nearBoundary(-3600));
  const holder = await openTransaction(database.url, `select from log_heads where log = 'deployments' for update`);
  // The event is older than the stored event, so it is not the latest of its slot.
  const late = postStored(writer.url, nearBoundary(-7200));
  await until(() => isWaitedFor(database.url, holder));
  const pruner = await instance(database.url, once);
  await until(async () => (await countWaiting(database.url)) === 2);
  await holder.query('commit');
  await late;
  await until(async () => (await metricsOf(pruner.url)).prunedEvents > 0);
  const rows = await storedEvents(database.url);
  await expectDerived(database.url);
  expect(rows).toEqual([]);
});

test('pruned events disappear from every view, including a stream resumed before them, which reports it', async () => {
  const database = await testDatabase();
  const reader = await instance(database.url, unpruned);
  const client = clientOf(reader.url);
  const url = `${reader.url}/api/events/stream`;
  const live = await StreamReader.open({ url });
  const old = await appendAll(database.url, [
    nearBoundary(-100, { service: 'gone', environment: 'gone-too' }),
    nearBoundary(-50, { service: 'stays', environment: 'gone-too' }),
    nearBoundary(-20, { service: 'stays', environment: 'dev', status: 'success' }),
  ]);
  const [kept] = await appendAll(database.url, [
    nearBoundary(3600, { service: 'stays', environment: 'dev', status: 'failure' }),
  ]);
  // The instance has just sent the rows that a resumed stream must not get.
  await live.take(4);
  const before = await client.getMatrix();
  const etag = before.headers.get('etag') ?? '';
  expect(before.body.rows.map(({ service }) => service)).toEqual(['gone', 'stays']);
  const headers = { 'If-None-Match': etag };
  expect((await client.getMatrix({ headers })).status).toBe(304);
  const pruner = await instance(database.url, once);
  await until(async () => (await metricsOf(pruner.url)).prunedEvents === old.length);
  const { status, body } = await client.getMatrix({ headers });
  expect(status).toBe(200);
  const [event] = await storedEvents(database.url);
  expect(body).toMatchObject({
    environments: ['dev'],
    rows: [{ service: 'stays', slots: { dev: { current: event } } }],
  });
  expect(body.rows[0]?.slots.dev).not.toHaveProperty('last_successful');
  expect([...(await listedEvents(reader.url)).keys()]).toEqual([kept]);
  expect((await client.listServices()).body.items).toEqual(['stays']);
  expect((await client.listEnvironments()).body.items).toEqual(['dev']);
  for (const [from, resume] of [
    [nilId, 'truncated'],
    [old[1], 'truncated'],
    [old[2], 'replay'],
    [kept, 'replay'],
  ]) {
    const stream = await StreamReader.open({ url, headers: { 'last-event-id': from ?? '' } });
    expect({ from, resume: stream.headers['x-stream-resume'] }).toEqual({ from, resume });
    if (from !== kept) expect((await stream.take(1))[0]?.id).toBe(kept);
  }
});

/** Counts the requests for the pruner's lock, by shadowing the lock function. */
async function countAsking(databaseUrl: string): Promise<() => Promise<number>> {
  await runSql(
    databaseUrl,
    `create schema watch;
     create table watch.asked (key bigint);
     create function watch.pg_try_advisory_lock(key bigint) returns boolean language plpgsql volatile as $$
       begin
         insert into watch.asked values (key);
         return pg_catalog.pg_try_advisory_lock(key);
       end $$;
     alter database ${new URL(databaseUrl).pathname.slice(1)} set search_path = watch, public, pg_catalog`,
  );
  return async () => (await runSql(databaseUrl, 'select from watch.asked where key = $1', [pruneLockKey])).length;
}

test('only one of several instances prunes at a time, and each event is removed once', async () => {
  const database = await testDatabase();
  const asked = await countAsking(database.url);
  await appendAll(database.url, oldEvents(900));
  const holder = await openTransaction(database.url, `select from log_heads where log = 'deployments' for update`);
  const services = await Promise.all([1, 2, 3].map(() => instance(database.url, once)));
  await until(async () => (await asked()) === services.length);
  await until(async () => (await countWaiting(database.url)) > 0);
  const locks = await runSql(
    database.url,
    `select from pg_locks where locktype = 'advisory' and granted
      and database = (select oid from pg_database where datname = current_database())`,
  );
  expect(locks).toHaveLength(1);
  expect(await countWaiting(database.url)).toBe(1);
  await holder.query('commit');
  const pruned = async () =>
    (await Promise.all(services.map(async ({ url }) => (await metricsOf(url)).prunedEvents))).toSorted();
  await until(async () => (await pruned()).some((count) => count > 0));
  expect(await pruned()).toEqual([0, 0, 900]);
  expect(await countStored(database.url)).toBe(0);
});

/** Blocks the first batch of the next pruner for this long. A longer batch makes the following pause longer. */
async function longBatch(databaseUrl: string, ms: number): Promise<{ release: () => Promise<unknown> }> {
  const holder = await openTransaction(databaseUrl, `select from log_heads where log = 'deployments' for update`);
  const waitsLong = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
    and clock_timestamp() - query_start > interval '${ms} milliseconds'`;
  return {
    release: async () => {
      await until(async () => (await runSql(databaseUrl, waitsLong)).length > 0);
      return holder.query('commit');
    },
  };
}

test('a post waits for at most one batch of the pruner, and every post is stored', async () => {
  const database = await testDatabase();
  await appendAll(database.url, oldEvents(3500));
  const service = await instance(database.url, once);
  const posted = [];
  let during = 0;
  while ((await metricsOf(service.url)).prunedEvents < 3500) {
    const answers = await Promise.all([1, 2, 3, 4].map(() => postStored(service.url, nearBoundary(3600))));
    posted.push(...answers);
    during += (await countOld(database.url)) > 0 ? 1 : 0;
  }
  expect(during).toBeGreaterThan(0);
  expect((await storedEvents(database.url)).map(({ id }) => id)).toEqual(posted.map(({ id }) => id).toSorted());
});

test('the next instance prunes the rest if an instance loses its connections during pruning', async () => {
  const database = await testDatabase();
  const proxy = await NetworkProxy.open(database.url);
  const old = await appendAll(database.url, oldEvents(2500));
  const log = new LogLines();
  const first = await instance(proxy.url, once, log);
  await until(async () => (await countStored(database.url)) < old.length);
  // The connection is cut either between two batches or during a batch, which is then rolled back completely.
  proxy.way = 'refused';
  await log.reaches('old rows could not be removed', 1);
  const left = await countStored(database.url);
  expect((old.length - left) % 1000).toBe(0);
  await expectDerived(database.url);
  await first.stop();
  const next = await instance(database.url, once);
  await until(async () => (await metricsOf(next.url)).prunedEvents === left);
  expect(await countStored(database.url)).toBe(0);
  await expectDerived(database.url);
});

test('an instance stopped during pruning ends after the current batch', async () => {
  const database = await testDatabase();
  await appendAll(database.url, oldEvents(2500));
  const batch = await longBatch(database.url, 1000);
  const service = await instance(database.url, once);
  await until(async () => (await countWaiting(database.url)) > 0);
  const stopped = service.stop();
  await batch.release();
  const at = performance.now();
  await stopped;
  // Without the stop, the pruner would pause for twelve times as long as its batch took.
  expect(performance.now() - at).toBeLessThan(10_000);
  expect(await countStored(database.url)).toBe(1500);
});

test('an instance survives the loss of its connection between two batches', async () => {
  const thrown: unknown[] = [];
  const onThrown = (error: unknown) => thrown.push(error);
  process.on('uncaughtException', onThrown);
  onTestFinished(() => {
    process.off('uncaughtException', onThrown);
  });
  const database = await testDatabase();
  await appendAll(database.url, oldEvents(2500));
  const batch = await longBatch(database.url, 250);
  const log = new LogLines();
  const service = await instance(database.url, once, log);
  await batch.release();
  const cut = `select pg_terminate_backend(pid) from pg_stat_activity join pg_locks using (pid)
    where datname = current_database() and locktype = 'advisory' and state = 'idle'`;
  await until(async () => (await runSql(database.url, cut)).length > 0);
  await log.reaches('old rows could not be removed', 1);
  expect(thrown).toEqual([]);
  await postStored(service.url, nearBoundary(3600));
});
