import { once } from 'node:events';
import { request } from 'node:http';
import { answers } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { drivenUpstream, type TestDriverOptions } from './support/driver.ts';
import { routes } from './support/upstream.ts';

const resetId = '019c5d1e-3f9a-7000-9b1d-7f0f3a1c2e55';

async function inReset(options: TestDriverOptions = {}) {
  const driven = await drivenUpstream(options);
  await driven.upstream.tell('reset-initiated', resetId);
  await driven.upstream.until(() => driven.upstream.reports.length === 1);
  return driven;
}

const refused = [
  'POST /demo/ingest',
  'POST /demo/ingest/stop',
  'POST /demo/scenarios/demo-set/run',
  'POST /demo/scenarios/demo-set/stop',
  'POST /demo/emit',
  'POST /demo/api-reset',
  'POST /demo/ci/seed',
  'POST /demo/ci/clear',
  'POST /demo/ci/emit',
];
const taken = [
  'GET /demo/status',
  'GET /demo/scenarios',
  'GET /demo/emit',
  'GET /demo/health',
  'GET /demo/ci/status',
  'GET /demo/ci/emit',
  'GET /demo/',
  'POST /demo/reset',
];

const split = (route: string) => route.split(' ') as [method: string, path: string];

test.each(refused)('%s is refused during a reset', async (route) => {
  const { driver, upstream } = await inReset();
  const { status, headers, json } = await driver.call(...split(route));
  expect(status).toBe(503);
  expect(headers.get('content-type')).toBe('application/problem+json');
  expect(headers.get('retry-after')).toBe('90');
  expect(json).toEqual({
    type: '/problems/reset-in-progress',
    title: 'Reset in progress',
    status: 503,
    detail: expect.stringMatching(/\.$/),
    instance: split(route)[1],
  });
  // Apart from the ack and the subscriptions, nothing was sent to the service or the emulator.
  expect(upstream.received.map(({ path }) => path).filter((path) => !path.startsWith('/api/control/'))).toEqual([]);
  expect(upstream.of(routes.reset)).toEqual([]);
});

test.each(taken)('%s is accepted during a reset', async (route) => {
  const { driver, upstream } = await inReset();
  for (const path of ['status', 'emit']) upstream.script(`GET /_ci/${path}`, answers(200, '{}'));
  expect((await driver.call(...split(route))).status).toBe(200);
});

test('the feeds stay live during a reset', async () => {
  const { driver, upstream } = await inReset();
  upstream.script(routes.deployments, (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write('event: deployment\ndata: {}\n\n');
  });
  const readers = await Promise.all(
    (['control', 'components', 'deployments'] as const).map((name) => driver.feed(name)),
  );
  await upstream.send(routes.control, 'event: a\ndata: 1\n\n');
  await upstream.send(routes.components, 'event: component\ndata: 2\n\n');
  for (const reader of readers) expect(await reader.take(1)).toHaveLength(1);
});

test.each([
  [0, '90'],
  [1, '90'],
  [999, '90'],
  [1000, '89'],
  [1001, '89'],
  [88_999, '2'],
  [89_000, '1'],
  [89_999, '1'],
])('%i ms into the 90 s limit of a reset, Retry-After is %s', async (ms, seconds) => {
  const { driver, clock } = await inReset();
  clock.advance(ms);
  const { status, headers } = await driver.post('/demo/ingest');
  expect([status, headers.get('retry-after')]).toEqual([503, seconds]);
  expect((await driver.call('GET', '/demo/status')).headers.get('retry-after')).toBe(seconds);
});

test('calls are accepted again when the reset ends or its time limit passes', async () => {
  const { driver, clock } = await inReset({ config: { resetGateMaxTtlMs: 1500 } });
  expect((await driver.post('/demo/emit')).headers.get('retry-after')).toBe('2');
  clock.advance(1500);
  expect((await driver.post('/demo/emit')).status).toBe(200);
});

const foreign = { headers: { 'sec-fetch-site': 'cross-site' } };

test('if several refusals apply, 403 takes precedence over 503, 503 over 404, and 404 over 422', async () => {
  const { driver, upstream } = await inReset();
  const unknown = '/demo/scenarios/nobody-has-it/run';
  const body = '{"delay_ms":-1,"colour":1}';
  const calls: [string, RequestInit, number][] = [
    [unknown, { ...foreign, body }, 403],
    ['/demo/ingest', { ...foreign, body }, 403],
    [unknown, { body }, 503],
    ['/demo/ingest', { body }, 503],
    ['/demo/nowhere', { ...foreign, body }, 404],
  ];
  for (const [path, init, status] of calls)
    expect([path, (await driver.call('POST', path, init)).status]).toEqual([path, status]);
  await upstream.tell('reset-completed', resetId);
  await upstream.until(() => upstream.reports.length === 2);
  expect((await driver.call('POST', unknown, { ...foreign, body })).status).toBe(403);
  expect((await driver.call('POST', unknown, { body })).status).toBe(404);
  expect((await driver.call('POST', '/demo/scenarios/demo-set/run', { body })).status).toBe(422);
});

test('a call is refused if the reset begins before its body is complete', async () => {
  const { driver, upstream } = await drivenUpstream();
  const { port } = new URL(driver.url);
  const headers = { expect: '100-continue', 'content-length': 2 };
  const sent = request({ host: '127.0.0.1', port, method: 'POST', path: '/demo/emit', headers });
  const status = new Promise((resolve, reject) => {
    sent.on('response', (response) => resolve(response.resume().statusCode)).on('error', reject);
  });
  sent.flushHeaders();
  // By this time the driver has checked the head of the request.
  await once(sent, 'continue');
  await upstream.tell('reset-initiated', resetId);
  await upstream.until(() => upstream.reports.length === 1);
  sent.end('{}');
  expect(await status).toBe(503);
  expect((await driver.call('GET', '/demo/emit')).json).toEqual({ emitting: false });
});
