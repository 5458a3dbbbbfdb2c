import {
  openTransaction,
  ProgramProcess,
  runSql,
  type TestDatabase,
  testDatabase,
  testKeys,
  testService,
  until,
  waitingFor,
} from '@shiplog/testing';
import { appendAll } from '@shiplog/testing/bulk-append';
import fc from 'fast-check';
import type pg from 'pg';
import { beforeEach, expect, test } from 'vitest';
import { foldTables } from '../src/db/folds/step.ts';
import { foldAll, foldedRows, foldedTwice } from './support/folding.ts';
import { drawnEvent, eventOf } from './support/history.ts';

const lockKey = 1;

let database: TestDatabase;

/** Records the statements that write to the folds, and lets one of them wait for a lock. */
beforeEach(async () => {
  database = await testDatabase();
  const triggers = [...foldTables, 'folds', 'removed_deployments'].map(
    (table) => `
      create trigger halt before insert or update or delete or truncate on ${table}
      for each statement execute function halts.halt();`,
  );
  await runSql(
    database.url,
    `create schema halts;
     create table halts.seen (statement text primary key);
     create table halts.settings (statement text not null);
     insert into halts.settings values ('');
     create function halts.halt() returns trigger language plpgsql as $$
       begin
         insert into halts.seen values (current_query()) on conflict do nothing;
         if current_query() = (select statement from halts.settings) then
           perform pg_advisory_xact_lock(${lockKey});
         end if;
         return null;
       end $$;
     ${triggers.join('')}`,
  );
});

/** Stores random events, and removes some. The next step must apply both. */
async function change(seed: number): Promise<void> {
  const habits = { isCrowd: seed % 2 === 0, hasReleases: true, hasParents: true };
  const events = fc.sample(drawnEvent, { seed, numRuns: 20 }).map((drawn) => eventOf(drawn, habits, Date.now()));
  await appendAll(database.url, events);
  await runSql(
    database.url,
    'delete from deployments where id in (select id from deployments order by random() limit 4)',
  );
}

/** The statements of the next steps. */
async function statementsOfSteps(): Promise<string[]> {
  await runSql(database.url, 'delete from halts.seen');
  await foldAll(database.url);
  return (await runSql<{ statement: string }>(database.url, 'select statement from halts.seen')).map(
    ({ statement }) => statement,
  );
}

/** Halts the next step at this statement. */
async function haltAt(statement: string): Promise<pg.Client> {
  const holder = await openTransaction(database.url, `select pg_advisory_xact_lock(${lockKey})`);
  await runSql(database.url, 'update halts.settings set statement = $1', [statement]);
  return holder;
}

/** The process of the step that has halted. */
async function halted(holder: pg.Client): Promise<number | undefined> {
  let pid: number | undefined;
  await until(async () => {
    pid = (await waitingFor(database.url, holder))[0]?.pid;
    return pid !== undefined;
  });
  return pid;
}

async function release(holder: pg.Client): Promise<void> {
  await runSql(database.url, `update halts.settings set statement = ''`);
  await holder.query('commit');
}

async function expectExact(): Promise<void> {
  const { followed, rebuilt } = await foldedTwice(database.url);
  expect(followed).toEqual(rebuilt);
}

/** The statements of a step with additions and removals. */
async function statementsOfStep(): Promise<string[]> {
  await change(1);
  await foldAll(database.url);
  await change(2);
  const statements = await statementsOfSteps();
  const written = foldTables.filter((table) => statements.some((statement) => statement.includes(table)));
  expect(written).toEqual(foldTables);
  return statements;
}

const spawn = () =>
  ProgramProcess.spawn('service', {
    PORT: '0',
    DATABASE_URL: database.url,
    API_KEY: testKeys.api,
    CONTROL_API_KEY: testKeys.control,
  });

test('a service that is killed at any statement of a step leaves the folds as they were, and the next step completes them', {
  timeout: 1_800_000,
}, async () => {
  for (const [seed, statement] of (await statementsOfStep()).entries()) {
    await change(seed);
    const before = await foldedRows(database.url);
    const holder = await haltAt(statement);
    const service = spawn();
    await halted(holder);
    await service.kill();
    await release(holder);
    expect(await foldedRows(database.url)).toEqual(before);
    await expectExact();
  }
});

test('a service that is killed while it rebuilds the folds leaves the rebuild to the next one', async () => {
  await change(1);
  const rebuild = 'update folds set tick = -1';
  await runSql(database.url, rebuild);
  for (const statement of await statementsOfSteps()) {
    if (!/truncate|folds/.test(statement)) continue;
    await change(2);
    await runSql(database.url, rebuild);
    const holder = await haltAt(statement);
    const service = spawn();
    await halted(holder);
    await service.kill();
    await release(holder);
    await expectExact();
  }
});

test('a service whose connection ends at any statement of a step takes the step again', async () => {
  const statements = await statementsOfStep();
  const service = await testService({
    databaseUrl: database.url,
    times: { foldPauseMs: 1, foldPauseMaxMs: 1, foldPollMs: 20 },
  });
  for (const [seed, statement] of statements.entries()) {
    const holder = await haltAt(statement);
    await change(seed);
    await runSql(database.url, 'select pg_terminate_backend($1)', [await halted(holder)]);
    await release(holder);
    await until(async () => (await fetch(`${service.url}/api/changes`)).status === 200);
    await expectExact();
  }
});
