import {
  anEvent,
  isWaitedFor,
  openTransaction,
  type RunningService,
  runSql,
  testService,
  until,
} from '@shiplog/testing';
import { expect, test } from 'vitest';
import { renewLockKey } from '../src/db/cached-answers.ts';
import { appendAll } from './support/bulk-append.ts';
import { ask, keptAnswers, promotionOrder, retentionDays, tampered } from './support/kept.ts';
import { leverDatabase } from './support/levers.ts';

const never = 24 * 3_600_000;
const week = { window: '7d' };
/** One second after the next midnight in UTC: the window moves, and recent requests are less than a day old. */
const hoursToTomorrow = () => ((never - (Date.now() % never)) / never) * 24 + 1 / 3600;
/** Longer than any result is cached. */
const period = [-300, -299].map((days) => new Date(Date.now() + days * never).toISOString());

function instance(
  databaseUrl: string,
  renewEveryMs: number,
  granularity: 'day' | 'hour' = 'day',
): Promise<RunningService> {
  const config = { analytics: { promotionOrder, granularity }, historyRetentionDays: retentionDays };
  return testService({ databaseUrl, config, times: { renewEveryMs } });
}

/** How many times an instance requested the renewal lock. */
async function rounds(url: string): Promise<number> {
  return (await runSql(url, 'select from levers.renewals')).length;
}

/** A database that counts the renewals by shadowing the lock function. */
async function countedRounds() {
  const database = await leverDatabase();
  await runSql(
    database.url,
    `create table levers.renewals (at timestamptz default now());
     create function levers.pg_try_advisory_lock(key bigint) returns boolean language plpgsql volatile as $$
       begin
         if key = ${renewLockKey} then insert into levers.renewals default values; end if;
         return pg_catalog.pg_try_advisory_lock(key);
       end $$`,
  );
  return database;
}

test('one instance recomputes recently requested results before the next request when the window moves', async () => {
  const database = await countedRounds();
  const { url } = database;
  const quiet = await instance(url, never);
  await appendAll(url, [anEvent({ happened_at: new Date(Date.now() - 30 * 3_600_000).toISOString() })]);
  for (const name of ['getDora', 'getIncidents'] as const) await ask(quiet.url, name, week);
  await ask(quiet.url, 'getHeatmap', {
    from: new Date(Date.now() - never).toISOString(),
    to: new Date().toISOString(),
  });
  await until(async () => (await keptAnswers(url)).length === 3);
  const before = await keptAnswers(url);
  await Promise.all([instance(url, 1), instance(url, 1)]);
  await database.offsetClock(hoursToTomorrow());
  // The windows of two queries have moved. The third query has a period, which does not move.
  const changed = async () => {
    const now = await keptAnswers(url);
    return before.filter((kept, index) => kept.resolved !== now[index]?.resolved).length;
  };
  await until(async () => (await changed()) === 2);
  await tampered(url);
  for (const name of ['getDora', 'getIncidents'] as const) {
    expect((await ask(quiet.url, name, week)).json).toBe('"kept"');
  }
});

test('results that were not requested for a day, or have other settings, are not renewed', async () => {
  const database = await countedRounds();
  const { url } = database;
  const quiet = await instance(url, never);
  const hourly = await instance(url, never, 'hour');
  await ask(hourly.url, 'getHeatmap', week);
  await ask(quiet.url, 'getDora', week);
  await until(async () => (await keptAnswers(url)).length === 2);
  const before = await keptAnswers(url);
  await runSql(
    url,
    `update kept_answers set asked_at = asked_at - interval '25 hours' where question like '%getDora%'`,
  );
  await database.offsetClock(hoursToTomorrow());
  const service = await instance(url, 1);
  const now = await rounds(url);
  await until(async () => (await rounds(url)) > now + 2);
  await service.stop();
  expect(await keptAnswers(url)).toEqual(before);
});

test('an obsolete or unknown cached query does not stop the renewal', async () => {
  const database = await countedRounds();
  const { url } = database;
  const quiet = await instance(url, never);
  await ask(quiet.url, 'getDora', week);
  await until(async () => (await keptAnswers(url)).length === 1);
  const [before] = await keptAnswers(url);
  await runSql(
    url,
    `insert into kept_answers
     select digest || '-2', replace(question, 'getDora', 'getNothing'), resolved, from_at, to_at, true_until, null::text[], etag, answer,
       asked_at + interval '1 minute' from kept_answers
     union all
     select digest || '-3', '["getDora",${JSON.stringify({ from: period[0], to: period[1] })}]', resolved, from_at, to_at, true_until, null::text[], etag, answer,
       asked_at + interval '1 minute' from kept_answers`,
  );
  await instance(url, 1);
  await database.offsetClock(hoursToTomorrow());
  await until(async () =>
    (await keptAnswers(url)).some(({ digest, resolved }) => digest === before?.digest && resolved !== before.resolved),
  );
});

test('a stop does not wait for the remaining results', async () => {
  const database = await countedRounds();
  const { url } = database;
  const quiet = await instance(url, never);
  for (const limit of ['1', '2', '3', '4', '5']) await ask(quiet.url, 'getIncidents', { ...week, limit });
  await until(async () => (await keptAnswers(url)).length === 5);
  const before = await keptAnswers(url);
  const service = await instance(url, 1);
  // The first computation waits for this lock on a table that it reads.
  const holder = await openTransaction(url, 'lock table latest_deployments in access exclusive mode');
  await database.offsetClock(hoursToTomorrow());
  await until(() => isWaitedFor(url, holder));
  const stopped = service.stop();
  await holder.query('commit');
  await stopped;
  const now = await keptAnswers(url);
  expect(before.filter((kept, index) => kept.resolved !== now[index]?.resolved)).toHaveLength(1);
});
