import { type Act, answers, cuts, hangs } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { drivenUpstream } from './support/driver.ts';

const probes = { api: 'GET /healthz', emulator: 'GET /_ci/status', fetcher: 'GET /health' } as const;
const up = answers(200, 'any text');

test.each<[string, Act, 'up' | 'down']>([
  ['200', up, 'up'],
  ['204', answers(204), 'up'],
  ['a body that never ends', (response) => response.writeHead(200).write('{'), 'up'],
  ['304', answers(304), 'down'],
  ['a redirect to a program that is up', answers(302, '', { location: '/healthz' }), 'down'],
  ['404', answers(404, '{}'), 'down'],
  ['503', answers(503, '{}'), 'down'],
  ['a cut connection', cuts, 'down'],
  ['no answer', hangs, 'down'],
])('a program that answers with %s is reported without affecting the others', async (_, act, expected) => {
  for (const name of Object.keys(probes) as (keyof typeof probes)[]) {
    const { driver, upstream } = await drivenUpstream(act === hangs ? { times: { healthProbeMs: 100 } } : {});
    for (const route of Object.values(probes)) upstream.script(route, up);
    upstream.script(probes[name], act);
    const { status, json } = await driver.call('GET', '/demo/health');
    const others = act === hangs ? {} : { api: 'up', emulator: 'up', fetcher: 'up' };
    expect([status, json]).toMatchObject([200, { driver: 'up', ...others, [name]: expected }]);
  }
});

test('the probes run in parallel, send no key and keep no connection open', async () => {
  const { driver, upstream } = await drivenUpstream();
  const waiting: (() => void)[] = [];
  for (const route of Object.values(probes)) {
    upstream.script(route, (response) => void waiting.push(() => response.writeHead(200).end()));
  }
  const health = driver.call('GET', '/demo/health');
  await upstream.until(() => waiting.length === 3);
  for (const answer of waiting) answer();
  expect((await health).json).toEqual({ driver: 'up', api: 'up', emulator: 'up', fetcher: 'up' });
  for (const route of Object.values(probes)) {
    const [request] = upstream.of(route);
    for (const key of ['x-api-key', 'x-control-api-key']) expect(request?.headers).not.toHaveProperty(key);
  }
});
