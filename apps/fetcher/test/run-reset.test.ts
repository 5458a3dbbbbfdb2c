import { openTransaction } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { project, type Run, repository, rowsOf, smallRun } from './support/run.ts';
import { deliver, hookSettings } from './support/run-hooks.ts';
import { beginReset, goesOn, heldReset, reportsOf } from './support/run-reset.ts';

const cycleMs = 30_000;
const minuteMs = 60_000;
const ackMsMax = 10_000;

async function emit(run: Run): Promise<void> {
  for (const place of [repository, project]) await run.ci('/emit', { once: 1, repository: place });
}

async function expectSameLog(run: Run): Promise<void> {
  const log = await run.log();
  expect(rowsOf(log)).toEqual(rowsOf(await run.expected()));
}

test('a reset during a backfill is acknowledged at once, nothing is posted until it ends, and then everything starts over', async () => {
  const fetcher = { CI_MAX_REQUESTS_PER_MINUTE: '20' };
  const run = await smallRun({ repos: 2, deployments: 20, service: heldReset, fetcher });
  await run.startFetcher();
  await run.pass(cycleMs);
  const [github] = (await run.health()).sources;
  expect(github?.backfill?.left).toBeGreaterThan(0);
  // All parts that this wakes up are running when the reset begins.
  run.clock.advance(cycleMs);
  const reset = await beginReset(run);
  expect(reset.ackedAfterMs).toBeLessThan(ackMsMax);
  await emit(run);
  await run.pass(2 * cycleMs);
  expect((await run.health()).paused_for_reset).toBe(true);
  expect(reset.asked()).toEqual([]);
  await reset.letGo();
  await run.quiet();
  await run.caughtUp();
  await expectSameLog(run);
  const states = (await reportsOf(run, reset.id)).map(({ event_type, state }) => `${event_type} ${state}`);
  expect(states).toEqual(['status running', 'reset-ack paused']);
});

test('deliveries during a reset wait until it ends, and are stored once', async () => {
  const run = await smallRun({ repos: 1, service: heldReset, fetcher: hookSettings });
  await run.startFetcher();
  await run.caughtUp();
  await deliver(run, 'github', 'duplicate');
  await deliver(run, 'gitlab', 'normal');
  const reset = await beginReset(run);
  await emit(run);
  await run.pass(cycleMs);
  expect(reset.asked()).toEqual([]);
  expect((await run.health()).queue).toBeGreaterThan(0);
  await reset.letGo();
  await run.quiet();
  expect(await run.health()).toMatchObject({ queue: 0, paused_for_reset: false });
  await emit(run);
  await run.caughtUp();
  await expectSameLog(run);
});

test('with AFTER_RESET=now only changes after a reset are posted', async () => {
  const run = await smallRun({ service: heldReset });
  // The service dates a reset in real time, which is at first ahead of the run's clock and in the end behind it.
  run.clock.advance(Date.now() - 10 * minuteMs - run.clock.now().getTime());
  await run.startFetcher({ AFTER_RESET: 'now' });
  await run.caughtUp();
  await emit(run);
  const reset = await beginReset(run);
  await reset.letGo();
  await run.quiet();
  await run.leap(20 * minuteMs, minuteMs);
  expect(await run.log()).toEqual([]);
  const all = rowsOf(await run.expected());
  await emit(run);
  await run.caughtUp();
  expect(rowsOf(await run.log())).toEqual(rowsOf(await run.expected()).filter((row) => !all.includes(row)));
});

test('a reset that is aborted or never ends keeps the log, and changes made meanwhile are posted', async () => {
  const service = { reset: { ...heldReset.reset, gateMaxTtlSeconds: 1 } };
  const run = await smallRun({ repos: 1, service, fetcher: { RESET_GATE_MAX_TTL_MS: '90000' } });
  await run.startFetcher();
  await run.caughtUp();
  // While this lock is held, the service can't clear the log.
  const lock = await openTransaction(run.databaseUrl, 'lock table fetcher_states in share mode');
  const aborted = await beginReset(run);
  await emit(run);
  await aborted.letGo();
  await lock.query('rollback');
  await run.caughtUp();
  await expectSameLog(run);
  const endless = await beginReset(run);
  await emit(run);
  await run.pass(89_000);
  expect([endless.asked(), (await run.health()).paused_for_reset]).toEqual([[], true]);
  await run.pass(1000);
  await goesOn(run);
  await run.caughtUp();
  await expectSameLog(run);
  for (const { id } of [aborted, endless]) {
    expect((await reportsOf(run, id)).map(({ event_type }) => event_type)).toEqual(['reset-ack']);
  }
});
