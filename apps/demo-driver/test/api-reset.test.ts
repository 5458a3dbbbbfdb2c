import { type Act, answers, cuts, hangs } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { drivenUpstream } from './support/driver.ts';
import { routes } from './support/upstream.ts';

const problem = { 'content-type': 'application/problem+json' };

test.each<[string, Act, object]>([
  ['accepted', answers(202, '{"correlation_id":"a"}'), { ok: true, http_status: 204 }],
  ['completed immediately', answers(204), { ok: true, http_status: 204 }],
  ['accepted without JSON', answers(200, 'fine'), { ok: true, http_status: 204 }],
  ['refused because of its key', answers(401, '{}', problem), { ok: false, http_status: 401 }],
  ['refused because of another reset', answers(409, '{}', problem), { ok: false, http_status: 409 }],
  ['unknown to the service', answers(404, '<html>'), { ok: false, http_status: 404 }],
  ['failed', answers(500), { ok: false, http_status: 500 }],
  ['unavailable', answers(503, '{}', { ...problem, 'retry-after': '5' }), { ok: false, http_status: 503 }],
  ['redirected', answers(307, '', { location: '/api/deployments' }), { ok: false, http_status: 307 }],
  ['cut off without an answer', cuts, { ok: false, http_status: 0 }],
  ['never answered', hangs, { ok: false, http_status: 0 }],
])('a reset that is %s is reported with 200 after one attempt', async (_, act, body) => {
  const { driver, upstream, clock } = await drivenUpstream(act === hangs ? { times: { attemptTimeoutMs: 500 } } : {});
  upstream.script(routes.reset, act);
  const { status, json } = await driver.post('/demo/api-reset');
  expect([status, json]).toEqual([200, body]);
  expect(upstream.of(routes.reset)).toHaveLength(1);
  expect(upstream.posts).toEqual([]);
  expect(clock.slept).toEqual([]);
  const [request] = upstream.of(routes.reset);
  expect(request?.headers['x-control-api-key']).toBe('secret-of-operators');
  expect(request?.headers).not.toHaveProperty('x-api-key');
});

test('an unreachable service is reported as status 0', async () => {
  const nowhere = { writeApiUrl: 'http://127.0.0.1:9', emulatorUrl: '', fetcherUrl: '' };
  const { driver } = await drivenUpstream({ config: { neighbours: nowhere } });
  expect((await driver.post('/demo/api-reset')).json).toEqual({ ok: false, http_status: 0 });
});
