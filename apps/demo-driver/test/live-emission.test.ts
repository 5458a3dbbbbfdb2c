import { answers, hangs, heldBack } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { drivenUpstream } from './support/driver.ts';
import { routes } from './support/upstream.ts';

const emitting = (enabled: boolean) => ({ status: 200, json: { emitting: enabled } });

test('emission is off at first, and a call without a body toggles it', async () => {
  const { driver } = await drivenUpstream();
  expect(await driver.call('GET', '/demo/emit')).toMatchObject(emitting(false));
  expect(await driver.post('/demo/emit')).toMatchObject(emitting(true));
  expect(await driver.call('GET', '/demo/emit')).toMatchObject(emitting(true));
  expect(await driver.post('/demo/emit', {})).toMatchObject(emitting(false));
});

test('switching to the current state changes nothing', async () => {
  const { driver, upstream } = await drivenUpstream();
  expect(await driver.post('/demo/emit', { enabled: false })).toMatchObject(emitting(false));
  expect(await driver.post('/demo/emit', { enabled: true })).toMatchObject(emitting(true));
  expect(await driver.post('/demo/emit', { enabled: true })).toMatchObject(emitting(true));
  await driver.post('/demo/emit', { enabled: false });
  await upstream.until(() => upstream.reports.length === 2);
  expect(upstream.reports.map((line) => line.split(' ')[1])).toEqual(['running', 'idle']);
});

test('while emission is on, one current event is posted per interval, the first after one interval', async () => {
  const { driver, upstream, clock } = await drivenUpstream({ config: { emitIntervalMs: 8000 } });
  const feed = await driver.feed('posted');
  await driver.post('/demo/emit', { enabled: true });
  await clock.asleep(8000);
  expect(upstream.posts).toEqual([]);
  for (const posts of [1, 2, 3]) {
    await clock.pass(8000);
    await upstream.until(() => upstream.posts.length === posts);
  }
  expect(upstream.posts.map(({ happened_at }) => happened_at)).toEqual(
    [8, 16, 24].map((second) => `2026-05-04T09:00:${String(second).padStart(2, '0')}.000Z`),
  );
  const [first] = upstream.of(routes.post);
  expect(first?.headers['x-progress-reporter']).toBe('demo-driver/emit');
  const frames = await feed.take(3);
  expect(frames.map(({ event, data }) => [event, JSON.parse(data).reporter])).toEqual(
    Array.from({ length: 3 }, () => ['posted', 'demo-driver/emit']),
  );
});

test('each period of emission reports its start and end with a separate id', async () => {
  const { driver, upstream } = await drivenUpstream();
  for (let session = 0; session < 2; session++) {
    await driver.post('/demo/emit');
    await driver.post('/demo/emit');
  }
  await upstream.until(() => upstream.reports.length === 4);
  const ids = upstream.reports.map((line) => line.split(' ')[2]);
  expect(upstream.reports).toEqual([0, 1, 2, 3].map((n) => `status ${n % 2 ? 'idle' : 'running'} ${ids[n]}`));
  expect([ids[0], ids[2]]).toEqual([ids[1], ids[3]]);
  expect(ids[0]).not.toBe(ids[2]);
});

test('a period of emission begins after the previous one has reported its end', async () => {
  const { driver, upstream } = await drivenUpstream();
  const end = heldBack(204);
  await driver.post('/demo/emit');
  await upstream.until(() => upstream.reports.length === 1);
  upstream.script(routes.report, end.act, answers(204));
  await driver.post('/demo/emit');
  await upstream.until(() => upstream.reports.length === 2);
  expect(await driver.post('/demo/emit')).toMatchObject(emitting(true));
  expect(await driver.call('GET', '/demo/emit')).toMatchObject(emitting(true));
  expect(upstream.reports).toHaveLength(2);
  end.release();
  await upstream.until(() => upstream.reports.length === 3);
});

test('emission does not affect the run status, and a run continues meanwhile', async () => {
  const { driver, upstream, clock } = await drivenUpstream();
  const initial = await driver.status();
  upstream.script(routes.post, answers(422, '{}'), answers(201));
  await driver.post('/demo/emit');
  await clock.pass(8000);
  await upstream.until(() => upstream.posts.length === 1);
  await clock.pass(8000);
  await upstream.until(() => upstream.posts.length === 2);
  expect(await driver.status()).toEqual(initial);
  await driver.post('/demo/ingest');
  await upstream.until(() => upstream.posts.length === 2 + 47);
  expect((await driver.call('GET', '/demo/emit')).json).toEqual({ emitting: true });
});

test('if emission is switched off during a hanging post, it is off at once and reports its end when the post is aborted', async () => {
  const { driver, upstream, clock } = await drivenUpstream();
  upstream.script(routes.post, hangs);
  await driver.post('/demo/emit');
  await clock.pass(8000);
  await upstream.until(() => upstream.posts.length === 1);
  expect(await driver.post('/demo/emit')).toMatchObject(emitting(false));
  expect(upstream.reports).toHaveLength(1);
  await clock.pass(3000);
  await upstream.until(() => upstream.reports.length === 2);
  await upstream.until(() => upstream.of(routes.post)[0]?.closed === true);
});
