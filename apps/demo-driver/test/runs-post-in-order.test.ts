import type { DemoStatus } from '@shiplog/companions';
import type { DeploymentEventIngest } from '@shiplog/contract';
import { answers, hangs, heldBack } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { anItem, drivenUpstream, items, scenarioFolder } from './support/driver.ts';
import { routes } from './support/upstream.ts';

const startedAt = '2026-05-04T09:00:00.000Z';

async function drivenScenario(events: readonly object[], options: { emitDelayMs?: number; componentId?: string } = {}) {
  const scenariosDir = await scenarioFolder({ 'Two words.json': { events } });
  const driven = await drivenUpstream({ config: { scenariosDir, ...options } });
  const run = (body?: object) => driven.driver.post('/demo/scenarios/Two%20words/run', body);
  const over = () => driven.upstream.until(() => driven.upstream.reports.some((report) => / idle /.test(report)));
  return { ...driven, run, over };
}

test('before the first run, the status shows the demo set as idle', async () => {
  const { driver } = await drivenUpstream();
  const { status, json } = await driver.call('GET', '/demo/status');
  expect(status).toBe(200);
  expect(json).toEqual({
    scenario: 'demo-set',
    state: 'idle',
    events_total: 47,
    events_sent: 0,
    errors: 0,
    started_at: null,
    finished_at: null,
    reset_state: 'idle',
    correlation_id: null,
  });
});

test("a scenario's events are posted in order, one at a time, with the API key and their reporter", async () => {
  const { driver, upstream, run, over } = await drivenScenario(items(5));
  let underWay = 0;
  let most = 0;
  upstream.script(routes.post, (response) => {
    underWay += 1;
    most = Math.max(most, underWay);
    setImmediate(() => {
      underWay -= 1;
      response.writeHead(201).end('{}');
    });
  });
  expect((await run()).json).toMatchObject({
    scenario: 'Two words',
    state: 'running',
    events_total: 5,
    events_sent: 0,
    errors: 0,
    started_at: startedAt,
    finished_at: null,
  });
  await over();
  expect(upstream.posts.map((event) => event.deployment_id)).toEqual([1, 2, 3, 4, 5].map((n) => `deployment-${n}`));
  expect(most).toBe(1);
  for (const { headers } of upstream.of(routes.post)) {
    expect(headers).toMatchObject({
      'x-api-key': 'secret-of-pipelines',
      'x-progress-reporter': 'demo-driver/two-words',
    });
  }
  expect(await driver.status()).toMatchObject({ state: 'done', events_sent: 5, errors: 0, finished_at: startedAt });
});

test('happened_at is the time of sending minus elapsed_minutes; the other fields are unchanged', async () => {
  const item = anItem({ elapsed_minutes: 90.5, version: '1.4.2', parent_deployments: ['a', 'b'] });
  const { upstream, clock, run, over } = await drivenScenario([anItem(), item], { emitDelayMs: 60_000 });
  await run();
  await clock.pass(60_000);
  await over();
  const { elapsed_minutes: _, ...sent } = item as { elapsed_minutes: number };
  expect(upstream.posts).toEqual([
    expect.objectContaining({ happened_at: '2026-05-04T09:00:00.000Z' }),
    { ...sent, happened_at: '2026-05-04T07:30:30.000Z' },
  ]);
});

test('delay_ms is the pause between two events; the default is EMIT_DELAY_MS', async () => {
  const { upstream, clock, run, over } = await drivenScenario(items(3), { emitDelayMs: 700 });
  await run({ delay_ms: 40 });
  await clock.pass(40);
  await clock.pass(40);
  await over();
  expect(clock.slept).toEqual([40, 40]);
  await run();
  await clock.pass(700);
  await clock.pass(700);
  await upstream.until(() => upstream.reports.length === 4);
  expect(clock.slept).toEqual([40, 40, 700, 700]);
});

test('a run is reported before its first and after its last event, with a separate id that is sent only in X-Correlation-Id', async () => {
  const { upstream, run, over } = await drivenScenario(items(2), { componentId: 'another-driver' });
  await run();
  await over();
  await run();
  await upstream.until(() => upstream.reports.length === 4);
  const order = upstream.received.filter(({ method }) => method === 'POST').map(({ path }) => path);
  const [post, report] = [routes.post, routes.report].map((route) => route.split(' ')[1]);
  expect(order).toEqual([report, post, post, report, report, post, post, report]);
  const ids = upstream.reports.map((line) => line.split(' ')[2]);
  expect(upstream.reports).toEqual([0, 1, 2, 3].map((n) => `status ${n % 2 ? 'idle' : 'running'} ${ids[n]}`));
  expect(ids[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect([ids[1], ids[3]]).toEqual([ids[0], ids[2]]);
  expect(ids[2]).not.toBe(ids[0]);
  for (const { headers, body } of upstream.of(routes.report)) {
    expect(headers).toMatchObject({ 'x-component-id': 'another-driver', 'x-api-key': 'secret-of-pipelines' });
    expect(body.toString()).not.toContain(ids[0]);
  }
  expect(upstream.of(routes.post)[0]?.headers['x-progress-reporter']).toBe('demo-driver/two-words');
});

test('no event is posted before the start is reported', async () => {
  const { driver, upstream, run, over } = await drivenScenario(items(2));
  const start = heldBack(204);
  upstream.script(routes.report, start.act, answers(204));
  await run();
  await upstream.until(() => upstream.reports.length === 1);
  expect(await driver.status()).toMatchObject({ state: 'running', events_sent: 0 });
  expect(upstream.posts).toEqual([]);
  start.release();
  await over();
  expect(upstream.posts).toHaveLength(2);
});

test("a run continues if its start can't be reported", async () => {
  const { driver, upstream, run } = await drivenScenario(items(2));
  upstream.script(routes.report, answers(404, '{}'));
  await run();
  await upstream.until(() => upstream.reports.length === 2);
  expect(await driver.status()).toMatchObject({ state: 'done', events_sent: 2 });
});

test("a start during a run returns the status of that run and doesn't start another", async () => {
  const { driver, upstream, run } = await drivenScenario(items(2));
  upstream.script(routes.post, hangs);
  await run();
  await upstream.until(() => upstream.posts.length === 1);
  for (const again of [run(), driver.post('/demo/ingest'), driver.post('/demo/ingest', { dataset: 'random' })]) {
    expect(await again).toMatchObject({ status: 200, json: { scenario: 'Two words', state: 'running' } });
  }
  expect(upstream.reports).toHaveLength(1);
  expect(upstream.posts).toHaveLength(1);
});

test('a refused event counts as an error, and the run continues', async () => {
  const { driver, upstream, run, over } = await drivenScenario(items(4));
  upstream.script(routes.post, answers(201), answers(422, '{}'), answers(200, '{}'), answers(201, 'no JSON'));
  await run();
  await over();
  expect(await driver.status()).toMatchObject({ state: 'done', events_total: 4, events_sent: 2, errors: 2 });
});

test('ingest runs the demo set by default, under its dataset name', async () => {
  const { driver, upstream } = await drivenUpstream();
  const { status, json } = await driver.post('/demo/ingest');
  expect([status, json]).toMatchObject([200, { scenario: 'demo-set', state: 'running', events_total: 47 }]);
  await upstream.until(() => upstream.reports.length === 2);
  expect(upstream.posts).toHaveLength(47);
  expect(upstream.of(routes.post)[46]?.headers['x-progress-reporter']).toBe('demo-driver/demo');
  await driver.post('/demo/scenarios/demo-set/run');
  await upstream.until(() => upstream.reports.length === 4);
  expect(upstream.of(routes.post)[47]?.headers['x-progress-reporter']).toBe('demo-driver/demo-set');
});

test('a random ingest posts three events per environment for the requested number of services', async () => {
  const { driver, upstream } = await drivenUpstream();
  const { json } = await driver.post('/demo/ingest', { dataset: 'random', count: 3 });
  await upstream.until(() => upstream.reports.length === 2);
  const { posts } = upstream;
  expect(json).toMatchObject({ scenario: 'random', events_total: posts.length });
  expect(new Set(posts.map(({ service }) => service)).size).toBe(3);
  const places = new Set(posts.map(({ service, environment }) => `${service} ${environment}`));
  expect(posts).toHaveLength(3 * places.size);
  expect(upstream.of(routes.post)[0]?.headers['x-progress-reporter']).toBe('demo-driver/random');
  expect(await driver.status()).toMatchObject({ state: 'done', events_sent: posts.length, errors: 0 });
});

test('reading 9.1: random historical events are exactly 2 h and 4 h older than the current event, whatever the pauses', async () => {
  const { driver, upstream, clock } = await drivenUpstream();
  const { json } = await driver.post('/demo/ingest', { dataset: 'random', count: 3, delay_ms: 1001 });
  const { events_total: total } = json as DemoStatus;
  for (let pause = 1; pause < total; pause++) await clock.pass(1001);
  await upstream.until(() => upstream.reports.length === 2);
  const placeOf = ({ service, environment }: DeploymentEventIngest) => `${service} ${environment}`;
  for (const place of new Set(upstream.posts.map(placeOf))) {
    const posts = upstream.posts.filter((event) => placeOf(event) === place);
    const times = posts.map(({ happened_at }) => Date.parse(happened_at)).sort((one, other) => other - one);
    const [primary = 0] = times;
    expect([place, times.map((time) => primary - time)]).toEqual([place, [0, 2 * 3_600_000, 4 * 3_600_000]]);
    expect(clock.now().getTime() - primary).toBeLessThan(25 * 60_000);
  }
});
