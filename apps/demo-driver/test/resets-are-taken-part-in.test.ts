import { answers, cuts, hangs, heldBack } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { drivenUpstream, items, scenarioFolder } from './support/driver.ts';
import { routes } from './support/upstream.ts';

const resetId = '019c5d1e-3f9a-7000-9b1d-7f0f3a1c2e55';
const otherId = '019c5d1e-4000-7000-9b1d-7f0f3a1c2e55';
const blocked = (id: string) => ({ reset_state: 'blocked', correlation_id: id });
const open = { reset_state: 'idle', correlation_id: null };

type Driven = Awaited<ReturnType<typeof drivenUpstream>>;

async function acked({ upstream }: Driven, id = resetId): Promise<void> {
  await upstream.until(() => upstream.reports.includes(`reset-ack paused ${id}`));
}

/** Resolves when the driver has handled a frame of the control stream, whatever its effect. */
async function heard(driven: Driven, tell: () => Promise<void>): Promise<void> {
  const feed = await driven.driver.feed('control');
  await tell();
  await feed.take(1);
  feed.close();
}

test('a reset while idle is acked with its id and blocks calls until it completes; then the driver reports running', async () => {
  const driven = await drivenUpstream();
  const { driver, upstream } = driven;
  await upstream.tell('reset-initiated', resetId);
  await acked(driven);
  expect(await driver.status()).toMatchObject({ state: 'blocked', ...blocked(resetId) });
  const [ack] = upstream.of(routes.report);
  expect(ack?.headers).toMatchObject({ 'x-component-id': 'demo-driver', 'x-correlation-id': resetId });
  expect(JSON.parse(ack?.body.toString() ?? '')).toEqual({
    event_type: 'reset-ack',
    state: 'paused',
    occurred_at: '2026-05-04T09:00:00.000Z',
  });
  await heard(driven, () => upstream.tell('reset-started', otherId, resetId));
  expect(await driver.status()).toMatchObject({ state: 'blocked', ...blocked(resetId) });
  await upstream.tell('reset-completed', otherId, resetId);
  await upstream.until(() => upstream.reports.length === 2);
  expect(upstream.reports[1]).toBe(`status running ${resetId}`);
  expect(await driver.status()).toMatchObject({ state: 'idle', ...open });
});

test('an aborted reset ends like a completed one', async () => {
  const driven = await drivenUpstream();
  const { driver, upstream } = driven;
  await upstream.tell('reset-initiated', resetId);
  await acked(driven);
  await upstream.tell('reset-aborted', otherId, resetId);
  await upstream.until(() => upstream.reports.length === 2);
  expect(upstream.reports[1]).toBe(`status running ${resetId}`);
  expect(await driver.status()).toMatchObject({ state: 'idle', ...open });
});

test('before the ack, a run and live emission end and report this; they do not resume', async () => {
  const scenariosDir = await scenarioFolder({ 'long.json': { events: items(3) } });
  const driven = await drivenUpstream({ config: { scenariosDir } });
  const { driver, upstream, clock } = driven;
  await driver.post('/demo/emit');
  await driver.post('/demo/scenarios/long/run', { delay_ms: 1000 });
  await clock.asleep(1000);
  await clock.asleep(8000);
  await upstream.tell('reset-initiated', resetId);
  await acked(driven);
  expect(upstream.reports.map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual([
    'status running',
    'status running',
    'status idle',
    'status idle',
    'reset-ack paused',
  ]);
  expect(await driver.status()).toMatchObject({ scenario: 'long', state: 'blocked', events_sent: 1 });
  await upstream.tell('reset-completed', otherId, resetId);
  await upstream.until(() => upstream.reports.length === 6);
  expect((await driver.call('GET', '/demo/emit')).json).toEqual({ emitting: false });
  expect(await driver.status()).toMatchObject({ state: 'idle', events_sent: 1 });
  expect(clock.sleeping).toEqual([]);
  expect(upstream.posts).toHaveLength(1);
});

test('a hanging post delays the ack by at most 3 s', async () => {
  const scenariosDir = await scenarioFolder({ 'long.json': { events: items(3) } });
  const driven = await drivenUpstream({ config: { scenariosDir } });
  const { driver, upstream, clock } = driven;
  upstream.script(routes.post, hangs);
  await driver.post('/demo/scenarios/long/run');
  await upstream.until(() => upstream.posts.length === 1);
  await upstream.tell('reset-initiated', resetId);
  await clock.asleep(3000);
  expect(await driver.status()).toMatchObject({ state: 'blocked' });
  clock.advance(2999);
  expect(upstream.of(routes.post)[0]?.closed).toBe(false);
  expect(upstream.reports).toHaveLength(1);
  clock.advance(1);
  await acked(driven);
  await upstream.until(() => upstream.of(routes.post)[0]?.closed === true);
  expect(await driver.status()).toMatchObject({ errors: 1 });
});

test('a post that ends in time is counted before the ack', async () => {
  const scenariosDir = await scenarioFolder({ 'long.json': { events: items(3) } });
  const driven = await drivenUpstream({ config: { scenariosDir } });
  const { driver, upstream } = driven;
  const post = heldBack(201);
  upstream.script(routes.post, post.act);
  await driver.post('/demo/scenarios/long/run');
  await upstream.until(() => upstream.posts.length === 1);
  await heard(driven, () => upstream.tell('reset-initiated', resetId));
  expect(upstream.reports).toHaveLength(1);
  post.release();
  await acked(driven);
  expect(upstream.posts).toHaveLength(1);
  expect(await driver.status()).toMatchObject({ state: 'blocked', events_sent: 1, errors: 0 });
});

test('a second reset replaces the first, with a full timeout and a separate ack', async () => {
  const driven = await drivenUpstream();
  const { driver, upstream, clock } = driven;
  await upstream.tell('reset-initiated', resetId);
  await acked(driven);
  clock.advance(80_000);
  await upstream.tell('reset-initiated', otherId);
  await acked(driven, otherId);
  expect(await driver.status()).toMatchObject(blocked(otherId));
  await heard(driven, () => upstream.tell('reset-completed', resetId));
  expect(await driver.status()).toMatchObject({ state: 'blocked', ...blocked(otherId) });
  expect(clock.sleeping).toEqual([90_000]);
  await upstream.tell('reset-completed', otherId);
  await upstream.until(() => upstream.reports.length === 3);
  expect(upstream.reports[2]).toBe(`status running ${otherId}`);
});

test('a reset that is replaced before its ack is never acked', async () => {
  const driven = await drivenUpstream();
  const { driver, upstream, clock } = driven;
  upstream.script(routes.post, hangs);
  await driver.post('/demo/ingest');
  await upstream.until(() => upstream.posts.length === 1);
  await upstream.tell('reset-initiated', resetId);
  await heard(driven, () => upstream.tell('reset-initiated', otherId));
  await clock.pass(3000);
  await acked(driven, otherId);
  expect(upstream.reports.filter((line) => line.includes(resetId))).toEqual([]);
});

test('the end of a reset that the driver did not take part in is not reported', async () => {
  const driven = await drivenUpstream();
  const before = await driven.driver.status();
  await heard(driven, () => driven.upstream.tell('reset-completed', resetId));
  expect(await driven.driver.status()).toEqual(before);
  expect(driven.upstream.reports).toEqual([]);
});

test('if the reset never ends, the driver accepts calls again after the time limit, logs this and reports nothing', async () => {
  const driven = await drivenUpstream({ config: { resetGateMaxTtlMs: 90_000 } });
  const { driver, upstream, clock } = driven;
  await upstream.tell('reset-initiated', resetId);
  await acked(driven);
  clock.advance(89_999);
  expect(await driver.status()).toMatchObject(blocked(resetId));
  expect(driver.logged('"level":40')).toEqual([]);
  clock.advance(1);
  const feed = await driver.feed('control');
  await upstream.send(routes.control, 'event: later\ndata: 1\n\n');
  await feed.take(1);
  expect(await driver.status()).toMatchObject({ state: 'idle', ...open });
  expect(driver.logged('"level":40').map((line) => JSON.parse(line))).toMatchObject([{ resetId }]);
  expect(upstream.reports).toEqual([`reset-ack paused ${resetId}`]);
  await heard(driven, () => upstream.tell('reset-completed', otherId, resetId));
  expect(upstream.reports).toHaveLength(1);
});

test('an ack that fails is tried three times', async () => {
  const driven = await drivenUpstream();
  const { upstream, clock } = driven;
  upstream.script(routes.report, answers(503), cuts, answers(204));
  await upstream.tell('reset-initiated', resetId);
  await clock.pass(100);
  await clock.pass(200);
  await upstream.until(() => upstream.reports.length === 3);
  expect(upstream.reports).toEqual(Array.from({ length: 3 }, () => `reset-ack paused ${resetId}`));
});

test('after a counter reset during a reset, the state is idle, calls stay refused, and the reset continues', async () => {
  const driven = await drivenUpstream();
  const { driver, upstream } = driven;
  const initial = await driver.status();
  await driver.post('/demo/ingest');
  await upstream.until(() => upstream.reports.length === 2);
  await upstream.tell('reset-initiated', resetId);
  await acked(driven);
  expect(await driver.post('/demo/reset')).toMatchObject({
    status: 200,
    json: { ...initial, ...blocked(resetId) },
  });
  expect((await driver.post('/demo/ingest')).status).toBe(503);
  await upstream.tell('reset-completed', otherId, resetId);
  await upstream.until(() => upstream.reports.length === 4);
  expect(await driver.status()).toEqual(initial);
  expect((await driver.post('/demo/ingest')).status).toBe(200);
});

test('a driver that starts in the middle of a reset takes part in it', async () => {
  const driven = await drivenUpstream();
  const frame = { id: resetId, type: 'reset-initiated', component: '*', correlation_id: resetId, occurred_at: 'then' };
  await driven.upstream.send(routes.control, `id: ${resetId}\nevent: any\ndata: ${JSON.stringify(frame)}\n\n`);
  await acked(driven);
  expect(await driven.driver.status()).toMatchObject(blocked(resetId));
});
