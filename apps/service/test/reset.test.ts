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
import { post } from './support/posting.ts';
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
async function instances(count: number, reset: ServiceConfig['reset'], times: object = byNotice) {
  const database = await testDatabase();
  const start = async () => {
    const { url } = await testService({ databaseUrl: database.url, config: { reset }, times });
    return { url, control: await openControl(url) };
  };
  const all = await Promise.all(Array.from({ length: count }, start));
  const [first, second = first] = all;
  if (!first || !second) throw new Error('no instance was asked for');
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

test('while the log is being cleared, every instance returns 409 for a reset request and 503 for a post', async () => {
  const { databaseUrl, all, first } = await instances(2, waitsForNobody, { resetPollMs: 1000 });
  await postStored(first.url, anEvent());
  const holder = await openTransaction(databaseUrl, 'lock table fetcher_states in share mode');
  await startReset(first.url);
  const answers = all.map(async ({ control, url }) => {
    await untilFrame(control, 'reset-started');
    expect((await requestReset(url)).status).toBe(409);
    return post(url, anEvent());
  });
  for (const { status, problem, headers } of await Promise.all(answers)) {
    expect({ status, problem }).toEqual({ status: 503, problem: '/problems/reset-in-progress' });
    expect(headers.get('retry-after')).toMatch(/^[1-5]$/);
  }
  await holder.query('commit');
  for (const { control } of all) await untilFrame(control, 'reset-completed');
  await postStored(first.url, anEvent());
});

test('an ack counts once, for its exact component and the reset in progress, and any other report is only recorded', async () => {
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
])('a reset %s continues immediately', async (_, reset) => {
  const { all, second } = await instances(2, reset);
  const id = await startReset(second.url);
  for (const { control } of all) {
    await untilFrame(control, 'reset-completed');
    expectResets(control, [{ id, end: 'reset-completed' }]);
  }
});

test('a new control connection gets the frames of a reset in progress, or no frames if there is no reset', async () => {
  const { databaseUrl, first, second } = await instances(2, waitsFor('one'), { resetPollMs: 50 });
  const earlier = await startReset(first.url);
  await sendAck(first.url, { component: 'one', correlationId: earlier });
  await untilFrame(second.control, 'reset-completed');
  const atRest = await openControl(second.url);
  const id = await startReset(first.url);
  const inDraining = await Promise.all([openControl(second.url), openControl(first.url, 'no-uuid')]);
  for (const fresh of inDraining) expect((await fresh.take(1))[0]?.id).toBe(id);
  const holder = await openTransaction(databaseUrl, 'lock table fetcher_states in share mode');
  await sendAck(first.url, { component: 'one', correlationId: id });
  await untilFrame(second.control, 'reset-started', 2);
  const inResetting = await Promise.all([openControl(second.url), openControl(first.url, id)]);
  await inResetting[0]?.take(2);
  await inResetting[1]?.take(1);
  await holder.query('commit');
  const whole = [{ id, end: 'reset-completed' }] as const;
  for (const reader of [atRest, ...inDraining, ...inResetting.slice(0, 1)]) {
    await untilFrame(reader, 'reset-completed');
    expectResets(reader, whole);
  }
  await untilFrame(inResetting[1] ?? atRest, 'reset-completed');
  expect(inResetting[1]?.ids).toEqual(inResetting[0]?.ids.slice(1));
  expect([atRest, ...inDraining, ...inResetting].map(({ headers }) => headers['x-stream-resume'])).toEqual([
    ...['live', 'live', 'ignored', 'live', 'replay'],
  ]);
});

test('after a reset, every view is empty, resumed streams report the reset, and control frames and reports remain', async () => {
  const { first, second } = await instances(2, waitsFor('one'));
  const client = clientOf(second.url);
  const before = await postStored(first.url, anEvent());
  const { headers } = await client.getMatrix();
  const etag = headers.get('etag') ?? '';
  const live = await StreamReader.open({ url: `${second.url}/api/events/stream` });
  const id = await startReset(first.url);
  await sendAck(first.url, { component: 'one', correlationId: id });
  await untilFrame(second.control, 'reset-completed');
  const matrix = await client.getMatrix({ headers: { 'If-None-Match': etag } });
  expect({ status: matrix.status, rows: matrix.body.rows }).toEqual({ status: 200, rows: [] });
  expect((await client.listDeployments()).body).toEqual({ items: [], next_cursor: null });
  expect((await client.listServices()).body.items).toEqual([]);
  expect((await client.listEnvironments()).body.items).toEqual([]);
  await expect(client.getDeployment({ params: { id: before.id } })).rejects.toMatchObject({ status: 404 });
  expect((await client.listComponentEvents({ query: { correlation_id: id } })).body.items).toHaveLength(1);
  expect((await (await openControl(first.url, nilId)).take(3))[0]?.id).toBe(id);

  const after = await postStored(first.url, anEvent());
  expect(after.id > before.id).toBe(true);
  for (const { from, resume } of [
    { from: nilId, resume: 'truncated' },
    { from: before.id, resume: 'replay' },
    { from: after.id, resume: 'replay' },
  ]) {
    const reader = await StreamReader.open({
      url: `${second.url}/api/events/stream`,
      headers: { 'last-event-id': from },
    });
    expect(reader.headers['x-stream-resume']).toBe(resume);
    if (from !== after.id) expect((await reader.take(1))[0]?.id).toBe(after.id);
  }
  await live.take(1);
  expect(live.ids).toEqual([after.id]);
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
