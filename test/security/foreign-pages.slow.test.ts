import { once } from 'node:events';
import { request } from 'node:http';
import {
  driverEndpoints,
  emulatorEndpoints,
  fetcherEndpoints,
  mockApplicationEndpoints,
  mockEndpoints,
} from '@shiplog/companions';
import { type Endpoint, endpoints } from '@shiplog/contract';
import { builtDashboard, testDatabase, testLogger, testService } from '@shiplog/testing';
import { describe, expect, onTestFinished, test } from 'vitest';
import { testEmulator } from '../../apps/ci-emulator/test/support/emulator.ts';
import { drivenUpstream } from '../../apps/demo-driver/test/support/driver.ts';
import { readConfig, startFetcher } from '../../apps/fetcher/src/index.ts';
import { testMock } from '../../apps/mock/test/support/mock.ts';

const foreignOrigin = 'http://evil.example';

const programs: readonly (readonly [string, readonly Endpoint[], () => Promise<string>])[] = [
  [
    'service',
    Object.values(endpoints),
    async () =>
      (await testService({ databaseUrl: (await testDatabase()).url, config: { dashboardDir: builtDashboard } })).url,
  ],
  ['driver', Object.values(driverEndpoints), async () => (await drivenUpstream()).driver.url],
  [
    'mock',
    [...Object.values(mockEndpoints), ...Object.values(mockApplicationEndpoints)],
    async () => (await testMock()).url,
  ],
  ['fetcher', Object.values(fetcherEndpoints), hookedFetcher],
  ['CI emulator', Object.values(emulatorEndpoints), async () => (await testEmulator()).url],
];

/** A fetcher that accepts deliveries from GitHub. It doesn't poll and can't reach a service. */
async function hookedFetcher(): Promise<string> {
  const service = 'http://127.0.0.1:9';
  const settings = { PORT: '0', DASHBOARD_API_BASE_URL: service, GITHUB_WEBHOOK_SECRET: 'secret-of-webhooks-1' };
  const fetcher = await startFetcher({ config: readConfig(settings), logger: testLogger(undefined) });
  onTestFinished(fetcher.stop);
  return fetcher.url;
}

interface Head {
  readonly status: number | undefined;
  readonly headers: readonly string[];
}

/**
 * Sends a request with exactly these headers, which `fetch` does not allow. Returns the status and the headers of the
 * response.
 */
async function headOf(url: string, method: string, headers: Readonly<Record<string, string>>): Promise<Head> {
  const sent = request(url, { method, headers, agent: false }).end();
  const [response] = await once(sent, 'response');
  response.destroy();
  return { status: response.statusCode, headers: Object.keys(response.headers) };
}

function pathOf({ path }: Endpoint): string {
  return path
    .replace('{hook}', 'github')
    .replace('{name}', 'demo-set')
    .replace('{tool}', 'github')
    .replace(/\{[a-z_]+\}/g, 'x');
}

describe.each(programs)('a page of another site, open in the same browser as the %s,', (_, served, start) => {
  test('cannot change anything, because its requests are rejected or have no key', async () => {
    const url = await start();
    const changing = served.filter(({ method }) => method !== 'GET');
    expect(changing.length).toBeGreaterThan(0);
    for (const endpoint of changing) {
      // A form or an image sends these headers without a preflight request, but cannot send a key.
      for (const headers of [{ origin: foreignOrigin }, { origin: 'null' }, { 'sec-fetch-site': 'cross-site' }]) {
        const { status } = await headOf(`${url}${pathOf(endpoint)}`, endpoint.method, headers);
        const hasKey = endpoint.key || endpoint === fetcherEndpoints.receiveDelivery;
        expect([endpoint.path, status]).toEqual([endpoint.path, hasKey ? 401 : 403]);
      }
    }
  });

  test('cannot send a key or read a response', async () => {
    const url = await start();
    const asked = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'x-api-key' };
    for (const endpoint of served) {
      const target = `${url}${pathOf(endpoint)}`;
      const preflight = await headOf(target, 'OPTIONS', { origin: foreignOrigin, ...asked });
      expect([endpoint.path, preflight.status]).toEqual([endpoint.path, 405]);
      const answer = await headOf(target, 'GET', { origin: foreignOrigin });
      for (const { headers } of [preflight, answer]) {
        expect(headers.filter((name) => name.startsWith('access-control-'))).toEqual([]);
      }
    }
  });

  test('cannot frame a page, load a response as a script, or change the type of a response', async () => {
    const url = await start();
    for (const path of [
      '/docs',
      '/problems/validation',
      '/demo/',
      '/',
      '/openapi.json',
      '/metrics',
      '/docs/style.css',
    ]) {
      const response = await fetch(`${url}${path}`);
      await response.arrayBuffer();
      expect([path, response.headers.get('x-content-type-options')]).toEqual([path, 'nosniff']);
      if (!response.headers.get('content-type')?.startsWith('text/html')) continue;
      const policy = response.headers.get('content-security-policy') ?? '';
      for (const rule of ["default-src 'none'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"]) {
        expect(policy.split('; ')).toContain(rule);
      }
      expect(policy).not.toMatch(/unsafe-|\*|https?:/);
      const isolation = ['referrer', 'cross-origin-opener', 'cross-origin-resource', 'permissions'];
      expect(isolation.map((name) => response.headers.get(`${name}-policy`))).toEqual([
        'no-referrer',
        'same-origin',
        'same-origin',
        expect.stringContaining('camera=(), '),
      ]);
    }
  });
});
