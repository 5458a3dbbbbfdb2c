import { answers, hangs, heldBack } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { drivenUpstream, items, scenarioFolder } from './support/driver.ts';
import { routes } from './support/upstream.ts';

/** A scenario of three events during its first pause: one is posted, two are not yet. */
async function midRun() {
  const events = items(3);
  const scenariosDir = await scenarioFolder({ 'long.json': { events }, 'other.json': { events } });
  const driven = await drivenUpstream({ config: { scenariosDir } });
  await driven.driver.post('/demo/scenarios/long/run', { delay_ms: 1000 });
  await driven.clock.asleep(1000);
  return driven;
}

const counters = { events_total: 3, events_sent: 1, errors: 0 };

test.each(['/demo/scenarios/long/stop', '/demo/ingest/stop'])(
  '%s ends a run at once and reports its end',
  async (path) => {
    const { driver, upstream } = await midRun();
    const { status, json } = await driver.post(path);
    expect([status, json]).toMatchObject([
      200,
      { scenario: 'long', state: 'failed', ...counters, finished_at: '2026-05-04T09:00:00.000Z' },
    ]);
    await upstream.until(() => upstream.reports.length === 2);
    const [begins, ends] = upstream.reports;
    expect(ends).toBe(begins?.replace('running', 'idle'));
    expect(upstream.posts).toHaveLength(1);
  },
);

test('stopping a scenario that is not running changes nothing', async () => {
  const { driver, upstream, clock } = await midRun();
  expect((await driver.post('/demo/scenarios/other/stop')).json).toMatchObject({ scenario: 'long', state: 'running' });
  await clock.pass(1000);
  await clock.pass(1000);
  await upstream.until(() => upstream.reports.length === 2);
  expect(await driver.status()).toMatchObject({ state: 'done', events_sent: 3 });
});

test('stopping while idle changes nothing', async () => {
  const { driver, upstream } = await drivenUpstream();
  const before = await driver.status();
  for (const path of ['/demo/ingest/stop', '/demo/scenarios/demo-set/stop']) {
    expect(await driver.post(path)).toMatchObject({ status: 200, json: before });
  }
  expect(upstream.reports).toEqual([]);
});

test('a run that is started after a stop begins once the previous run has reported its end', async () => {
  const { driver, upstream } = await midRun();
  const end = heldBack(204);
  upstream.script(routes.report, end.act, answers(204));
  await driver.post('/demo/ingest/stop');
  await upstream.until(() => upstream.reports.length === 2);
  expect((await driver.post('/demo/scenarios/other/run')).json).toMatchObject({ state: 'running', events_sent: 0 });
  expect(await driver.status()).toMatchObject({ state: 'running' });
  expect(upstream.reports).toHaveLength(2);
  end.release();
  await upstream.until(() => upstream.reports.length === 4);
  expect(upstream.reports.map((line) => line.split(' ')[1])).toEqual(['running', 'idle', 'running', 'idle']);
  expect(await driver.status()).toMatchObject({ scenario: 'other', state: 'done', events_sent: 3 });
});

test('a post in flight is finished and counted after a stop', async () => {
  const scenariosDir = await scenarioFolder({ 'long.json': { events: items(3) } });
  const { driver, upstream } = await drivenUpstream({ config: { scenariosDir } });
  const post = heldBack(201);
  upstream.script(routes.post, post.act);
  await driver.post('/demo/scenarios/long/run');
  await upstream.until(() => upstream.posts.length === 1);
  expect((await driver.post('/demo/ingest/stop')).json).toMatchObject({ state: 'failed', events_sent: 0 });
  post.release();
  await upstream.until(() => upstream.reports.length === 2);
  expect(await driver.status()).toMatchObject({ state: 'failed', events_sent: 1, errors: 0 });
});

test('a stop during the pause before a retry cancels the retry', async () => {
  const scenariosDir = await scenarioFolder({ 'long.json': { events: items(3) } });
  const { driver, upstream, clock } = await drivenUpstream({ config: { scenariosDir } });
  upstream.script(routes.post, answers(500));
  const feed = await driver.feed('posted');
  await driver.post('/demo/scenarios/long/run');
  await clock.asleep(100);
  await driver.post('/demo/ingest/stop');
  await upstream.until(() => upstream.reports.length === 2);
  expect(upstream.posts).toHaveLength(1);
  const [frame] = await feed.take(1);
  expect(JSON.parse(frame?.data ?? '')).toMatchObject({ http_status: 500, attempt: 1 });
  expect(await driver.status()).toMatchObject({ state: 'failed', errors: 1 });
});

test('a hanging post is aborted 3 s after the stop', async () => {
  const scenariosDir = await scenarioFolder({ 'long.json': { events: items(3) } });
  const { driver, upstream, clock } = await drivenUpstream({ config: { scenariosDir } });
  upstream.script(routes.post, hangs);
  await driver.post('/demo/scenarios/long/run');
  await upstream.until(() => upstream.posts.length === 1);
  await driver.post('/demo/ingest/stop');
  await clock.asleep(3000);
  expect(upstream.of(routes.post)[0]?.closed).toBe(false);
  clock.advance(3000);
  await upstream.until(() => upstream.reports.length === 2);
  await upstream.until(() => upstream.of(routes.post)[0]?.closed === true);
  expect(await driver.status()).toMatchObject({ state: 'failed', events_sent: 0, errors: 1 });
});

test('a counter reset ends a run and restores the initial state, whatever the outcome of the last post', async () => {
  const scenariosDir = await scenarioFolder({ 'long.json': { events: items(3) } });
  const { driver, upstream } = await drivenUpstream({ config: { scenariosDir } });
  const initial = await driver.status();
  const post = heldBack(201);
  upstream.script(routes.post, post.act);
  await driver.post('/demo/scenarios/long/run');
  await upstream.until(() => upstream.posts.length === 1);
  expect(await driver.post('/demo/reset')).toMatchObject({ status: 200, json: initial });
  post.release();
  await upstream.until(() => upstream.reports.length === 2);
  expect(await driver.status()).toEqual(initial);
  expect(upstream.posts).toHaveLength(1);
});

test('a counter reset while idle sets the counters to zero', async () => {
  const { driver, upstream } = await drivenUpstream();
  const initial = await driver.status();
  await driver.post('/demo/ingest', { dataset: 'random', count: 1 });
  await upstream.until(() => upstream.reports.length === 2);
  expect((await driver.post('/demo/reset')).json).toEqual(initial);
});
