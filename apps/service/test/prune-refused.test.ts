import { anEvent, metricsOf, runSql, testService, until } from '@shiplog/testing';
import { appendAll } from '@shiplog/testing/bulk-append';
import { expect, test } from 'vitest';
import { leverDatabase } from './support/levers.ts';
import { LogLines } from './support/reset.ts';
import { countStored } from './support/stored.ts';

const never = 24 * 3_600_000;
const dayMs = 24 * 3_600_000;
const often = { firstMs: 0, pruneEveryMs: 20, purgeEveryMs: 20 };

/** Stores this many events, one for each past day. */
const daily = (days: number) =>
  Array.from({ length: days }, (_, n) => anEvent({ happened_at: new Date(Date.now() - n * dayMs).toISOString() }));

test('no events are removed when the database clock jumps 400 days ahead, and every instance reports the refusal', async () => {
  const database = await leverDatabase();
  await appendAll(database.url, daily(100));
  await database.offsetClock(400 * 24);
  for (const _ of [1, 2]) {
    const log = new LogLines();
    const { url } = await testService({ databaseUrl: database.url, times: often, log });
    await log.reaches('pruning refused: it would remove 100 of 100 events', 2);
    expect(log.text).toContain('"level":50');
    expect(log.text).toContain('PRUNE_CONFIRM=100');
    expect((await metricsOf(url)).pruneRefused).toBe(100);
  }
  expect(await countStored(database.url)).toBe(100);
});

test('a refusal ends when the clock is corrected', async () => {
  const database = await leverDatabase();
  await appendAll(database.url, [...daily(100), anEvent({ happened_at: '2000-01-01T00:00:00Z' })]);
  await database.offsetClock(400 * 24);
  const { url } = await testService({ databaseUrl: database.url, times: often });
  await until(async () => (await metricsOf(url)).pruneRefused === 101);
  await database.offsetClock(0);
  await until(async () => (await metricsOf(url)).prunedEvents === 1);
  await until(async () => (await metricsOf(url)).pruneRefused === 0);
  expect(await countStored(database.url)).toBe(100);
});

test('an imported history that is mostly too old is pruned once its number of rows is confirmed', async () => {
  const database = await leverDatabase();
  await appendAll(database.url, daily(1000));
  const log = new LogLines();
  const first = await testService({ databaseUrl: database.url, times: often, log });
  await log.reaches('more than half of the log', 1);
  await first.stop();
  expect(await countStored(database.url)).toBe(1000);
  const [{ count = 0 } = {}] = await runSql<{ count: number }>(
    database.url,
    `select count(*)::int as count from deployments where happened_at < now() - interval '365 days'`,
  );
  const times = { firstMs: 0, pruneEveryMs: never, purgeEveryMs: never };
  const instances = await Promise.all(
    [1, 2].map(() => testService({ databaseUrl: database.url, times, config: { pruneConfirm: count } })),
  );
  await until(async () => (await countStored(database.url)) === 1000 - count);
  await until(async () =>
    (await Promise.all(instances.map(({ url }) => metricsOf(url)))).every((one) => one.pruneRefused === 0),
  );
});
