import { nilId, storedEvent } from '@shiplog/contract';
import {
  anEvent,
  cancelWaitingFor,
  clientOf,
  countWaiting,
  isWaitedFor,
  openTransaction,
  postStored,
  runSql,
  type StreamReader,
  testDatabase,
  testService,
  until,
  witnessClearings,
} from '@shiplog/testing';
import { expect, onTestFinished, test } from 'vitest';
import type { ServiceConfig } from '../src/config.ts';
import { appendDeployments } from '../src/db/append-deployments.ts';
import { Database, type Queries } from '../src/db/database.ts';
import { readReset, takeResetStep } from '../src/db/reset.ts';
import { Servers } from '../src/db/servers.ts';
import { resetTable } from '../src/domain/reset.ts';
import { ClearingRun } from './support/clearing-run.ts';
import { post } from './support/posting.ts';
import {
  controlFrames,
  expectResets,
  LogLines,
  openControl,
  putCursor,
  startReset,
  stepFailed,
  untilFrame,
} from './support/reset.ts';
import { countCleared, countStored } from './support/stored.ts';

const times = { resetPollMs: 50 };
const reset: ServiceConfig['reset'] = { ackTimeoutSeconds: 0, gateMaxTtlSeconds: 60, expectedComponents: [] };

async function instance(databaseUrl: string, options: { reset?: ServiceConfig['reset']; log?: LogLines } = {}) {
  const service = await testService({
    databaseUrl,
    config: { reset: options.reset ?? reset },
    times,
    ...(options.log && { log: options.log }),
  });
  return { ...service, control: await openControl(service.url) };
}

async function race() {
  const database = await testDatabase();
  await witnessClearings(database.url);
  const first = await instance(database.url);
  const second = await instance(database.url);
  const run = new ClearingRun(database.url, [first.control, second.control]);
  return { databaseUrl: database.url, first, second, run, urls: [first.url, second.url] };
}

test('a post during resets on two instances is either rejected, stored and cleared, or stored after the clearing', async () => {
  const { first, second, run, urls } = await race();
  const posting = run.postOn(urls, 8);
  for (let resets = 1; resets <= 6; resets++) {
    const enough = run.stored + 20;
    await until(async () => run.stored >= enough);
    await startReset(urls[resets % urls.length] ?? '');
    for (const { control } of [first, second]) await untilFrame(control, 'reset-completed', resets);
  }
  await until(async () => run.answered.at(-1)?.event !== undefined);
  await posting.stop();
  expect(run.answered.some(({ status }) => status === 503)).toBe(true);
  await run.isTrue();
});

test('posts that wait for the log when the gate closes are either stored before the clearing or rejected', async () => {
  const { databaseUrl, first, run, urls } = await race();
  const log = `select from log_heads where log = 'deployments' for update`;
  for (let resets = 1; resets <= 3; resets++) {
    const holder = await openTransaction(databaseUrl, log);
    // For each instance, one batch waits for the log before the gate closes, and another batch waits after it.
    const posts = urls.map((url) => run.post(url));
    await until(async () => (await countWaiting(databaseUrl)) === urls.length);
    await startReset(first.url);
    await until(async () => (await countWaiting(databaseUrl)) > urls.length);
    const later = [...urls, ...urls].map((url) => run.post(url));
    await holder.query('commit');
    await Promise.all([...posts, ...later, untilFrame(first.control, 'reset-completed', resets)]);
    await Promise.all(urls.map((url) => run.post(url)));
  }
  await run.isTrue();
});

/** Starts a reset and blocks its clearing at the first lock, or after everything except the last frame is written. */
async function heldClearing(at: 'beginning' | 'end', { databaseUrl, url, control }: Place & { control: StreamReader }) {
  const resets = control.frames.filter(({ event }) => event === 'reset-started').length;
  const atBeginning = await openTransaction(databaseUrl, 'lock table fetcher_states in share mode');
  const id = await startReset(url);
  await untilFrame(control, 'reset-started', resets + 1);
  await until(() => isWaitedFor(databaseUrl, atBeginning));
  if (at === 'beginning') return { id, holder: atBeginning };
  const holder = await openTransaction(databaseUrl, `select from log_heads where log = 'control' for update`);
  await atBeginning.query('commit');
  await until(() => isWaitedFor(databaseUrl, holder));
  return { id, holder };
}

interface Place {
  readonly databaseUrl: string;
  readonly url: string;
}

test.each(['beginning', 'end'] as const)(
  'posts that arrive while the clearing is blocked at its %s are rejected immediately',
  async (at) => {
    const { databaseUrl, first, second, run, urls } = await race();
    for (let resets = 1; resets <= 2; resets++) {
      await Promise.all([...urls, ...urls].map((url) => run.post(url)));
      const { holder } = await heldClearing(at, { databaseUrl, ...first });
      await Promise.all([...urls, ...urls, ...urls].map((url) => run.post(url)));
      await holder.query('commit');
      for (const { control } of [first, second]) await untilFrame(control, 'reset-completed', resets);
      await Promise.all(urls.map((url) => run.post(url)));
    }
    await run.isTrue();
  },
);

test.each(['beginning', 'end'] as const)(
  'a clear operation that fails at its %s has no effect, is retried and then completes',
  async (at) => {
    const database = await testDatabase();
    const log = new LogLines();
    const { url, control } = await instance(database.url, { log });
    for (const service of ['one', 'two', 'one']) await postStored(url, anEvent({ service }));
    await putCursor(url);
    const before = await countCleared(database.url);
    const { id, holder } = await heldClearing(at, { databaseUrl: database.url, url, control });
    await cancelWaitingFor(database.url, holder);
    await log.reaches(stepFailed, 1);
    expect(await countCleared(database.url)).toEqual(before);
    expect((await post(url, anEvent())).problem).toBe('/problems/reset-in-progress');
    await holder.query('commit');
    await untilFrame(control, 'reset-completed');
    expectResets(control, [{ id, end: 'reset-completed' }]);
    expect(await countCleared(database.url)).toEqual({ events: 0, latest: 0, cursors: 0 });
    await postStored(url, anEvent());
  },
);

test('a clear operation that hangs until the gate expires is aborted without clearing anything, and the next reset works', async () => {
  const database = await testDatabase();
  const first = await instance(database.url, { reset: { ...reset, gateMaxTtlSeconds: 1 } });
  const second = await instance(database.url, { reset: { ...reset, gateMaxTtlSeconds: 1 } });
  const stored = await postStored(first.url, anEvent());
  await putCursor(first.url);
  const before = await countCleared(database.url);
  const holder = await openTransaction(database.url, 'lock table fetcher_states in share mode');
  const aborted = await startReset(first.url);
  for (const { control } of [first, second]) {
    await untilFrame(control, 'reset-aborted');
    expectResets(control, [{ id: aborted, end: 'reset-aborted' }]);
  }
  // The gate's time begins before reset-started is sent, which can be late on a busy machine.
  const [initiated, , ended] = controlFrames(first.control).map(({ occurred_at }) => Date.parse(occurred_at));
  expect((ended ?? 0) - (initiated ?? 0)).toBeGreaterThanOrEqual(1000);
  expect(await countCleared(database.url)).toEqual(before);
  for (const { url } of [first, second]) {
    await postStored(url, anEvent());
    await expect(clientOf(url).getDeployment({ params: { id: stored.id } })).resolves.toMatchObject({ body: stored });
  }
  await holder.query('commit');
  // On a busy machine, one second may be too short to clear the log, so the next reset has the default time.
  await Promise.all([first.stop(), second.stop()]);
  const { url } = await instance(database.url);
  const completed = await startReset(url);
  const control = await openControl(url, nilId);
  await untilFrame(control, 'reset-completed');
  expectResets(control, [
    { id: aborted, end: 'reset-aborted' },
    { id: completed, end: 'reset-completed' },
  ]);
  expect(await countCleared(database.url)).toEqual({ events: 0, latest: 0, cursors: 0 });
});

test('the time spent on clearing one table reduces the time limit for the next table', async () => {
  const database = await testDatabase();
  const { url, control } = await instance(database.url);
  const tables = ['deployments', 'latest_deployments', 'fetcher_states'];
  await runSql(
    database.url,
    `create table limits (n int generated always as identity, ms float8 not null, limit_ms float8 not null);
     create function tell_limit() returns trigger language plpgsql as $$
       begin
         insert into limits (ms, limit_ms)
         select extract(epoch from gate_until - clock_timestamp()) * 1000,
           extract(epoch from current_setting('statement_timeout')::interval) * 1000
         from log_heads where log = 'deployments';
         return null;
       end $$;
     ${tables.map((table) => `create trigger tell_limit before delete on ${table} execute function tell_limit();`).join('\n')}`,
  );
  const { holder } = await heldClearing('beginning', { databaseUrl: database.url, url, control });
  await holder.query('commit');
  await untilFrame(control, 'reset-completed');
  const limits = await runSql<{ ms: number; limit_ms: number }>(database.url, 'select * from limits order by n');
  expect(limits).toHaveLength(tables.length);
  // A statement timeout is in whole milliseconds, rounded up.
  for (const [index, { limit_ms }] of limits.slice(1).entries())
    expect(limit_ms).toBeLessThanOrEqual(Math.ceil(limits[index]?.ms ?? 0));
});

test('the gate opens for posts when it expires, even if no instance can continue the reset', async () => {
  const database = await testDatabase();
  const driver = await testService({
    databaseUrl: database.url,
    config: { reset },
    times: { ...times, resetPollMs: 3_600_000 },
  });
  await postStored(driver.url, anEvent());
  const control = await openControl(driver.url);
  const place = { databaseUrl: database.url, url: driver.url, control };
  const { id, holder: clearing } = await heldClearing('beginning', place);
  // This transaction gets the lock when the clearing attempt has failed and the instance is stopping.
  const opening = openTransaction(database.url, 'select from reset for update');
  await until(async () => (await countWaiting(database.url)) > 1);
  const stopped = driver.stop();
  await cancelWaitingFor(database.url, clearing);
  await stopped;
  const holder = await opening;
  await clearing.query('commit');
  const { url } = await instance(database.url);
  expect((await post(url, anEvent())).problem).toBe('/problems/reset-in-progress');
  await runSql(database.url, `update log_heads set gate_until = clock_timestamp() where log = 'deployments'`);
  await postStored(url, anEvent());
  expect(await countStored(database.url), 'nothing was cleared').toBe(2);
  await holder.query('commit');
  const again = await openControl(url, id);
  await untilFrame(again, 'reset-aborted');
  expect(controlFrames(again).map(({ type }) => type)).toEqual(['reset-started', 'reset-aborted']);
  expect(await countStored(database.url)).toBe(2);
});

test('reads during the clearing see the log as it was before', async () => {
  const database = await testDatabase();
  const { url, control } = await instance(database.url);
  const client = clientOf(url);
  const stored = await postStored(url, anEvent());
  const { holder } = await heldClearing('end', { databaseUrl: database.url, url, control });
  const [matrix, listing] = await Promise.all([client.getMatrix(), client.listDeployments()]);
  expect(matrix.body.rows.map(({ service }) => service)).toEqual([stored.service]);
  expect(listing.body.items).toEqual([stored]);
  await holder.query('commit');
  await untilFrame(control, 'reset-completed');
  expect((await client.listDeployments()).body.items).toEqual([]);
});

test('a clear operation that waits for an append also counts the appended row as removed', async () => {
  const { url } = await testDatabase();
  const database = new Database(new Servers([{ connectionString: url }]), () => undefined);
  onTestFinished(() => database.stop());
  // Simulates an append that found the gate open, because the gate expired before the clearing locked the log.
  const append = await openTransaction(url);
  const query: Queries['query'] = async ({ text, values = [] }) => (await append.query(text, [...values])).rows;
  const [id] = await appendDeployments({ query }, [storedEvent(anEvent(), undefined)]);
  const cleared = database.writes.session((session) =>
    session.transaction(async (queries) => {
      const found = { ...(await readReset(queries)), gateUntil: Date.now() + 60_000 };
      const step = resetTable.resetting.cleared;
      if (typeof step !== 'string') await takeResetStep(queries, found, step, reset);
    }),
  );
  await until(() => isWaitedFor(url, append));
  await append.query('commit');
  await cleared;
  expect(await countStored(url)).toBe(0);
  expect(await runSql(url, `select removed_id from log_heads where log = 'deployments'`)).toEqual([{ removed_id: id }]);
});
