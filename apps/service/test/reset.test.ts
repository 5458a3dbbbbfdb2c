import { nilId } from '@shiplog/contract';
import {
  anEvent,
  clientOf,
  countWaiting,
  openTransaction,
  postStored,
  runSql,
  StreamReader,
  testDatabase,
  testService,
  until,
} from '@shiplog/testing';
import { expect, onTestFinished, test } from 'vitest';
import type { ServiceConfig } from '../src/config.ts';
import { Database } from '../src/db/database.ts';
import { readReset } from '../src/db/reset.ts';
import { Servers } from '../src/db/servers.ts';
import { dueEvent } from '../src/domain/reset.ts';
import {
  type Ack,
  controlFrames,
  expectResets,
  openControl,
  putCursor,
  requestReset,
  sendAck,
  startReset,
  untilFrame,
} from './support/reset.ts';
import { countCleared } from './support/stored.ts';

/** Polling is disabled, so resets continue only by notifications and their own timeouts. */
const byNotice = { pollMs: 3_600_000, resetPollMs: 3_600_000 };

const waitsFor = (...expectedComponents: string[]): ServiceConfig['reset'] => ({
  ackTimeoutSeconds: 3600,
  gateMaxTtlSeconds: 60,
  expectedComponents,
});
const waitsForNobody = { ...waitsFor(), ackTimeoutSeconds: 10 };

/** Instances on one database, each with a reader of its control stream. */
async function instances(count: number, reset: ServiceConfig['reset']) {
  const database = await testDatabase();
  const start = async () => {
    const { url } = await testService({ databaseUrl: database.url, config: { reset }, times: byNotice });
    return { url, control: await openControl(url) };
  };
  const all = await Promise.all(Array.from({ length: count }, start));
  const [first, second = first] = all;
  if (!first || !second) throw new Error('no instance was requested');
  return { databaseUrl: database.url, all, first, second };
}

/** When the next step is due and which components have acked, as the product reads its tables. */
async function whatIsDue(databaseUrl: string) {
  const database = new Database(new Servers([{ connectionString: databaseUrl }]), () => undefined);
  onTestFinished(() => database.stop());
  const reset = await readReset(database.writes);
  return { due: dueEvent(reset), acked: reset.acked };
}

test('a reset continues once all acks have arrived, on any instance, and every instance streams all its frames', async () => {
  const { databaseUrl, all, first, second } = await instances(2, waitsFor('one', 'two'));
  const resets: { id: string; end: 'reset-completed' }[] = [];
  for (const { asked, ackers } of [
    { asked: first, ackers: [second, second] },
    { asked: second, ackers: [first, second] },
    { asked: first, ackers: [first, first] },
  ]) {
    await postStored(asked.url, anEvent());
    await putCursor(asked.url);
    const id = await startReset(asked.url);
    resets.push({ id, end: 'reset-completed' });
    await postStored(asked.url, anEvent({ service: 'still-accepted' }));
    for (const [n, component] of ['two', 'one'].entries()) {
      await sendAck(ackers[n]?.url ?? '', { component, correlationId: id });
    }
    for (const { control } of all) {
      await untilFrame(control, 'reset-completed', resets.length);
      expectResets(control, resets);
    }
    expect(await countCleared(databaseUrl)).toEqual({ events: 0, latest: 0, cursors: 0 });
  }
});

test('one request is accepted and the others get 409 when several instances get a reset request at the same time', async () => {
  const { databaseUrl, all } = await instances(3, waitsFor('nobody-runs-this'));
  const asked = all.flatMap(({ url }) => [url, url, url]);
  // All requests have read that no reset is in progress, and wait for the same lock.
  const holder = await openTransaction(databaseUrl, 'select from reset for update');
  const answers = asked.map(requestReset);
  await until(async () => (await countWaiting(databaseUrl)) === asked.length);
  await holder.query('commit');
  const statuses = (await Promise.all(answers)).map(({ status }) => status);
  expect(statuses.toSorted()).toEqual([202, ...asked.slice(1).map(() => 409)]);
  for (const url of asked) expect((await requestReset(url)).status).toBe(409);
  const frames = await runSql<{ type: string }>(databaseUrl, 'select type from control_frames');
  expect(frames).toEqual([{ type: 'reset-initiated' }]);
});

test('an ack counts once, for its exact component and the reset in progress; any other report is only recorded', async () => {
  const { databaseUrl, first, second } = await instances(2, waitsFor('one', 'two'));
  const earlier = await startReset(first.url);
  for (const component of ['one', 'two']) await sendAck(first.url, { component, correlationId: earlier });
  await untilFrame(first.control, 'reset-completed');
  const id = await startReset(first.url);
  await untilFrame(first.control, 'reset-initiated', 2);
  const good: Ack = { component: 'two', correlationId: id };
  const notCounted: Ack[] = [
    { ...good, component: 'tw' },
    { ...good, component: 'two-' },
    { ...good, component: 'two.' },
    { ...good, component: '2' },
    { ...good, correlationId: undefined },
    { ...good, correlationId: earlier },
    { ...good, correlationId: nilId },
    { ...good, correlationId: id.toUpperCase() },
    { ...good, correlationId: `${id}0` },
    { ...good, correlationId: id.slice(1) },
    { ...good, correlationId: 'x'.repeat(128) },
    { ...good, eventType: 'status' },
    { ...good, eventType: 'reset-ack ' },
    { ...good, eventType: 'RESET-ACK' },
    { ...good, component: 'one' },
    { ...good, component: 'one' },
  ];
  for (const ack of notCounted) {
    await sendAck(second.url, ack);
    const { due, acked } = await whatIsDue(databaseUrl);
    expect({ ack, due, counted: acked.includes('two') }).toEqual({ ack, due: undefined, counted: false });
  }
  const { items } = (await clientOf(first.url).listComponentEvents()).body;
  const recorded = items.slice(0, notCounted.length).toReversed();
  expect(recorded.map(({ component_id, correlation_id }) => [component_id, correlation_id])).toEqual(
    notCounted.map(({ component, correlationId }) => [component, correlationId ?? null]),
  );
  expect(controlFrames(first.control).at(-1)?.type).toBe('reset-initiated');
  await sendAck(second.url, { ...good, state: 'idle' });
  await untilFrame(first.control, 'reset-completed', 2);
  expectResets(first.control, [
    { id: earlier, end: 'reset-completed' },
    { id, end: 'reset-completed' },
  ]);
});

test('a reset without acks continues after the ack timeout and not earlier', async () => {
  const reset = { ...waitsFor('one', 'two'), ackTimeoutSeconds: 1 };
  const { all, first } = await instances(2, reset);
  const { body } = await clientOf(first.url).startReset();
  await sendAck(first.url, { component: 'one', correlationId: body.correlation_id });
  for (const { control } of all) {
    await untilFrame(control, 'reset-completed');
    expectResets(control, [{ id: body.correlation_id, end: 'reset-completed' }]);
    const waitedMs = Date.parse(controlFrames(control)[1]?.occurred_at ?? '') - Date.parse(body.accepted_at);
    expect(waitedMs).toBeGreaterThanOrEqual(999);
    expect(waitedMs).toBeLessThan(5000);
  }
});

test.each([
  ['with an ack timeout of 0', { ...waitsFor('one', 'two'), ackTimeoutSeconds: 0 }],
  ['without expected components', { ...waitsFor(), ackTimeoutSeconds: 3600 }],
])('a reset %s continues at once', async (_, reset) => {
  const { first } = await instances(1, reset);
  const id = await startReset(first.url);
  await untilFrame(first.control, 'reset-completed');
  expectResets(first.control, [{ id, end: 'reset-completed' }]);
});

test('a stream resumed after a reset gets no earlier event, even if other streams have just received it', async () => {
  const { first } = await instances(1, waitsForNobody);
  const url = `${first.url}/api/events/stream`;
  const live = await StreamReader.open({ url });
  const before = [await postStored(first.url, anEvent()), await postStored(first.url, anEvent())];
  await live.take(2);
  await startReset(first.url);
  await untilFrame(first.control, 'reset-completed');
  const resumed = await StreamReader.open({ url, headers: { 'last-event-id': before[0]?.id ?? '' } });
  expect(resumed.headers['x-stream-resume']).toBe('truncated');
  const after = await postStored(first.url, anEvent());
  expect((await resumed.take(1))[0]?.id).toBe(after.id);
});
