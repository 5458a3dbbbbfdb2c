import { request } from 'node:http';
import { driverEndpoints } from '@shiplog/companions';
import { createLogger } from '@shiplog/server';
import { beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../src/config.ts';
import { startDriver } from '../src/driver.ts';

let url = '';

beforeAll(async () => {
  const nowhere = 'http://127.0.0.1:9';
  const driver = await startDriver({
    config: {
      ...readConfig({}),
      port: 0,
      neighbours: { writeApiUrl: nowhere, emulatorUrl: nowhere, fetcherUrl: nowhere },
    },
    logger: createLogger('silent'),
  });
  url = driver.url;
  return () => driver.stop();
});

/** Sends exactly these headers; `fetch` adds others. */
function statusOf(method: string, path: string, headers: Readonly<Record<string, string>>): Promise<number> {
  return new Promise((resolve, reject) => {
    const { port } = new URL(url);
    const sent = request({ host: '127.0.0.1', port, method, path, headers: { host: `driver:${port}`, ...headers } });
    sent.on('response', (response) => {
      resolve(response.statusCode ?? 0);
      response.destroy();
    });
    sent.on('error', reject).end();
  });
}

const own = () => `http://driver:${new URL(url).port}`;

describe('the origin of a state-changing request', () => {
  test.each<[string, () => Record<string, string>, number]>([
    ['a program other than a browser is accepted', () => ({}), 200],
    ['the panel is accepted', () => ({ 'sec-fetch-site': 'same-origin' }), 200],
    ['the address bar is accepted', () => ({ 'sec-fetch-site': 'none' }), 200],
    ['another site is refused', () => ({ 'sec-fetch-site': 'cross-site' }), 403],
    ['another port of this site is refused', () => ({ 'sec-fetch-site': 'same-site' }), 403],
    ['an empty site is refused', () => ({ 'sec-fetch-site': '' }), 403],
    ['an unknown value for the site is refused', () => ({ 'sec-fetch-site': 'friendly' }), 403],
    ['the panel in an old browser is accepted', () => ({ origin: own() }), 200],
    ['the panel behind TLS in an old browser is accepted', () => ({ origin: own().replace('http:', 'https:') }), 200],
    ['another host in an old browser is refused', () => ({ origin: 'http://evil.example' }), 403],
    ['another port in an old browser is refused', () => ({ origin: 'http://driver:1' }), 403],
    ['an opaque origin is refused', () => ({ origin: 'null' }), 403],
    ['an empty origin is refused', () => ({ origin: '' }), 403],
    [
      'the panel is accepted, whatever the Origin header says',
      () => ({ 'sec-fetch-site': 'same-origin', origin: 'http://evil.example' }),
      200,
    ],
    [
      'another site is refused, whatever the Origin header says',
      () => ({ 'sec-fetch-site': 'cross-site', origin: own() }),
      403,
    ],
  ])('%s', async (_, headers, status) => {
    expect(await statusOf('POST', '/demo/reset', headers())).toBe(status);
    expect(await statusOf('GET', '/demo/status', headers())).toBe(200);
  });
});

const changing = Object.values(driverEndpoints).filter(({ method }) => method === 'POST');

test.each(changing.map(({ path }) => path.replace('{name}', 'demo-set')))(
  '%s from another site is refused',
  async (path) => {
    expect(await statusOf('POST', path, { 'sec-fetch-site': 'cross-site' })).toBe(403);
  },
);

test('the refusal has its own problem type', async () => {
  const response = await fetch(`${url}/demo/ingest`, { method: 'POST', headers: { origin: 'http://evil.example' } });
  expect(await response.json()).toMatchObject({
    type: '/problems/forbidden-origin',
    status: 403,
    instance: '/demo/ingest',
  });
});
