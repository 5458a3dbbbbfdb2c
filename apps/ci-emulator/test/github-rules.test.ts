import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { aRepo, aSeed, testEmulator, token } from './support/emulator.ts';

const list = '/repos/acme/shop/deployments';

function manyDeployments(count: number) {
  return Array.from({ length: count }, (_, index) => ({
    id: index + 1,
    sha: 'a'.repeat(40),
    ref: 'main',
    environment: 'dev',
    creator: 'alice',
    elapsed_minutes: count - index,
    statuses: [],
  }));
}

/** The relations of a Link header by name. */
function linksOf(headers: Headers): Record<string, string> {
  const links = (headers.get('link') ?? '').matchAll(/<([^>]*)>; rel="(\w+)"/g);
  return Object.fromEntries([...links].map(([, url = '', rel = '']) => [rel, url]));
}

describe('§3.1: pages', () => {
  test.each<[string, number, number, Record<string, number>]>([
    ['', 30, 245, { next: 2, last: 9 }],
    ['?per_page=100', 100, 245, { next: 2, last: 3 }],
    ['?per_page=1000', 100, 245, { next: 2, last: 3 }],
    ['?per_page=0', 30, 245, { next: 2, last: 9 }],
    ['?per_page=many&page=-1', 30, 245, { next: 2, last: 9 }],
    ['?per_page=100&page=2', 100, 145, { prev: 1, next: 3, last: 3, first: 1 }],
    ['?per_page=100&page=3', 45, 45, { prev: 2, first: 1 }],
  ])('a request with the query "%s" lists %i rows from id %i', async (query, length, first, pages) => {
    const emulator = await testEmulator({}, aSeed({ repos: [aRepo({ deployments: manyDeployments(245) })] }));
    const { body, headers } = await emulator.github<{ id: number }[]>(`${list}${query}`);
    expect([body.length, body[0]?.id]).toEqual([length, first]);
    const links = linksOf(headers);
    expect(Object.keys(links).sort()).toEqual(Object.keys(pages).sort());
    for (const [rel, page] of Object.entries(pages)) {
      const url = new URL(links[rel] ?? '');
      expect([url.origin, url.pathname, url.searchParams.get('page')]).toEqual([emulator.url, list, String(page)]);
    }
  });

  test('a page beyond the end is empty, and a single page has no links', async () => {
    const emulator = await testEmulator();
    expect((await emulator.github(`${list}?page=9`)).body).toEqual([]);
    expect((await emulator.github(list)).headers.has('link')).toBe(false);
  });
});

describe('§3.2: validators', () => {
  test('a 304 has no body and does not count against the quota of a token', async () => {
    const emulator = await testEmulator();
    const first = await emulator.github(list);
    const etag = first.headers.get('etag') ?? '';
    expect(etag).toMatch(/^W\/"[0-9a-f]+"$/);
    expect(first.headers.get('cache-control')).toBe('private, max-age=60, s-maxage=60');
    expect(first.headers.has('last-modified')).toBe(false);
    const { status, headers, body } = await emulator.github(list, { 'if-none-match': etag });
    expect([status, body, headers.get('x-ratelimit-used')]).toEqual([304, '', '1']);
  });

  test('the validator differs for a changed listing and for another token', async () => {
    const emulator = await testEmulator();
    const etagOf = async (headers: Record<string, string> = {}) =>
      (await emulator.github(list, headers)).headers.get('etag');
    const before = await etagOf();
    expect(await etagOf({ authorization: 'Bearer other' })).not.toBe(before);
    expect(await etagOf()).toBe(before);
    await emulator.move(101, { state: 'inactive' });
    expect(await etagOf()).not.toBe(before);
  });

  test('without a token, a 304 counts against the quota', async () => {
    const emulator = await testEmulator();
    const etag = (await emulator.send(list)).headers.get('etag') ?? '';
    const { status, headers } = await emulator.send(list, { headers: { 'if-none-match': etag } });
    expect([status, headers.get('x-ratelimit-used'), headers.get('x-ratelimit-limit')]).toEqual([304, '2', '60']);
  });
});

describe('§3.3, §3.4: limits', () => {
  test('without a token the limit is 60, even if tokens have another limit', async () => {
    const limitWith = async (limit: string) => {
      const emulator = await testEmulator({ GITHUB_SIM_RATE_LIMIT: limit });
      return (await emulator.send(list)).headers.get('x-ratelimit-limit');
    };
    expect([await limitWith('5000'), await limitWith('3'), await limitWith('0')]).toEqual(['60', '60', null]);
  });

  test('an hourly window begins with the first counted request; requests beyond the limit get 403', async () => {
    const emulator = await testEmulator({ GITHUB_SIM_RATE_LIMIT: '3' });
    await emulator.advance(60_000);
    const remaining = async () => (await emulator.github(list)).headers.get('x-ratelimit-remaining');
    expect([await remaining(), await remaining()]).toEqual(['2', '1']);
    await emulator.advance(60_000);
    expect(await remaining()).toBe('0');
    const { status, headers, body } = await emulator.github<{ message: string }>(list);
    expect(status).toBe(403);
    expect(body.message).toMatch(/^API rate limit exceeded for /);
    const reset = Number(headers.get('x-ratelimit-reset'));
    expect(new Date(reset * 1000).toISOString()).toBe('2026-05-04T10:01:00.000Z');
    expect([headers.get('x-ratelimit-remaining'), headers.get('x-ratelimit-resource')]).toEqual(['0', 'core']);
    expect((await emulator.github(list, { authorization: 'Bearer other' })).status).toBe(200);
    await emulator.advance(3_600_000);
    expect(await remaining()).toBe('2');
  });

  test('§3: requests for the rate limit do not count against the quota', async () => {
    const emulator = await testEmulator();
    await emulator.github(list);
    const { body } = await emulator.github('/rate_limit');
    const core = { limit: 5000, remaining: 4999, used: 1, reset: Date.parse('2026-05-04T10:00:00Z') / 1000 };
    expect(body).toEqual({ resources: { core }, rate: core });
    expect((await emulator.status()).rate_limit).toEqual(core);
  });

  test('responses have no rate headers if limits are off', async () => {
    const emulator = await testEmulator({ GITHUB_SIM_RATE_LIMIT: '0' });
    expect([...(await emulator.github(list)).headers.keys()].filter((name) => name.includes('ratelimit'))).toEqual([]);
    expect((await emulator.github('/rate_limit')).status).toBe(404);
  });

  test('too many requests per minute reach the secondary limit, and 304s count', async () => {
    const emulator = await testEmulator({ GITHUB_SIM_SECONDARY_LIMIT: '2' });
    const etag = (await emulator.github(list)).headers.get('etag') ?? '';
    expect((await emulator.github(list, { 'if-none-match': etag })).status).toBe(304);
    const { status, headers, body } = await emulator.github<{ message: string }>(list);
    expect([status, headers.get('retry-after')]).toEqual([403, '60']);
    expect(body.message).toContain('You have exceeded a secondary rate limit');
    await emulator.advance(60_000);
    expect((await emulator.github(list)).status).toBe(200);
  });

  test('more than a hundred parallel requests also reach the secondary limit', async () => {
    const emulator = await testEmulator();
    await emulator.fault({ match: { path: list, nth: 1 }, effect: { hang: true }, times: 100 });
    const aborted = new AbortController();
    const hanging = Array.from({ length: 100 }, () =>
      fetch(`${emulator.url}${list}`, { headers: { authorization: `Bearer ${token}` }, signal: aborted.signal }).catch(
        () => undefined,
      ),
    );
    const arrived = async (): Promise<void> => {
      if ((await emulator.requests()).length < 100) await arrived();
    };
    await arrived();
    expect((await emulator.github(list)).status).toBe(403);
    aborted.abort();
    await Promise.all(hanging);
  });
});

describe('§3.5: refusals', () => {
  test.each<[string, string, Record<string, string>, number, string]>([
    ['no token although one is required', list, { authorization: '' }, 401, 'Bad credentials'],
    ['a wrong token', list, { authorization: 'Bearer wrong' }, 401, 'Bad credentials'],
    ['an unknown repository', '/repos/acme/none/deployments', {}, 404, 'Not Found'],
    ['an unknown deployment', '/repos/acme/shop/deployments/9', {}, 404, 'Not Found'],
    ['an unknown run', '/repos/acme/shop/actions/runs/9', {}, 404, 'Not Found'],
    ['an endpoint that the fetcher does not use', '/repos/acme/shop/pulls', {}, 404, 'Not Found'],
    ['an unknown path', '/nothing/here', {}, 404, 'Not Found'],
  ])('%s', async (_, path, headers, status, message) => {
    const emulator = await testEmulator({ REQUIRE_TOKEN: token });
    const answer = await emulator.github(path, headers);
    expect(answer.status).toBe(status);
    expect(answer.body).toEqual({
      message,
      documentation_url: expect.stringMatching(/^https:/),
      status: String(status),
    });
  });

  test('repository names are case-insensitive', async () => {
    const emulator = await testEmulator();
    expect((await emulator.github('/repos/ACME/Shop/deployments')).status).toBe(200);
  });

  test('a request for a forbidden repository gets 403', async () => {
    const emulator = await testEmulator();
    await emulator.post('/_ci/repositories/acme/shop', { forbidden: true }, 'PATCH');
    const { status, body } = await emulator.github<{ message: string }>(list);
    expect([status, body.message]).toEqual([403, 'Resource not accessible by personal access token']);
  });

  test.each(['', '/api/v3'])('a renamed repository redirects to its id (%s)', async (prefix) => {
    const emulator = await testEmulator();
    await emulator.post('/_ci/repositories/acme/shop', { renamed_to: 'acme/store' }, 'PATCH');
    const { status, headers } = await emulator.github(`${prefix}${list}?per_page=5`);
    const location = headers.get('location') ?? '';
    expect(status).toBe(301);
    expect(location).toMatch(new RegExp(`^${emulator.url}${prefix}/repositories/\\d+/deployments\\?per_page=5$`));
    const followed = await emulator.github<{ url: string }[]>(location.slice(emulator.url.length));
    expect(followed.body[0]?.url).toContain('/repos/acme/store/deployments/101');
  });
});

describe('§3.6: times and ids', () => {
  test('times have whole seconds, and a status changes updated_at of its deployment', async () => {
    const emulator = await testEmulator({ CLOCK: '2026-05-04T09:00:00.750Z' });
    await emulator.advance(1500);
    await emulator.move(101, { state: 'inactive' });
    const { body } = await emulator.github<{ updated_at: string; created_at: string }>(`${list}/101`);
    expect(body).toMatchObject({ created_at: '2026-05-04T08:00:00Z', updated_at: '2026-05-04T09:00:02Z' });
  });

  test('ids increase across all repositories', async () => {
    const repos = [aRepo(), aRepo({ repo: 'other', deployments: [] })];
    const emulator = await testEmulator({}, aSeed({ repos }));
    const ids = [
      (await emulator.deploy()).id,
      (await emulator.deploy({ repository: 'acme/other' })).id,
      (await emulator.deploy()).id,
    ];
    expect(ids).toEqual([...ids].sort((one, other) => one - other));
    expect(Math.min(...ids)).toBeGreaterThan(101);
  });

  test.each<[string, object, object, string[]]>([
    ['in the same environment becomes inactive', {}, {}, ['success', 'inactive']],
    ['stays active if it is transient', { transient: true }, {}, ['success']],
    ['stays active in production', { environment: 'prod' }, { environment: 'prod' }, ['success']],
    ['stays active in another environment', {}, { environment: 'dev' }, ['success']],
  ])('after a success, an older successful deployment %s', async (_, older, newer, states) => {
    const emulator = await testEmulator();
    const { id } = await emulator.deploy({ ...older, state: 'success' });
    await emulator.advance(1000);
    await emulator.deploy({ ...newer, state: 'success' });
    const { body } = await emulator.github<{ state: string; created_at: string }[]>(`${list}/${id}/statuses`);
    expect(body.map(({ state }) => state).reverse()).toEqual(states);
    if (states.length > 1) expect(body[0]?.created_at).toBe('2026-05-04T09:00:01Z');
  });

  test('an older deployment in progress is unchanged', async () => {
    const emulator = await testEmulator();
    const { id } = await emulator.deploy({ state: 'in_progress' });
    await emulator.deploy({ state: 'success' });
    const { body } = await emulator.github<unknown[]>(`${list}/${id}/statuses`);
    expect(body).toHaveLength(1);
  });
});

describe('§1.3: determinism', () => {
  test('equal seeds and calls result in byte-identical responses', async () => {
    const transcript = async () => {
      const emulator = await testEmulator({ PORT: '0', SEED_ON_STARTUP: 'true' });
      const said: string[] = [];
      const ask = async (path: string, body?: string) => {
        // Addresses in responses use the host of the request, which `fetch` does not allow to set.
        const headers = { authorization: `Bearer ${token}`, host: 'ci.example.com' };
        const sent = request(`${emulator.url}${path}`, { method: body === undefined ? 'GET' : 'POST', headers }).end(
          body,
        );
        const [answer] = (await once(sent, 'response')) as [IncomingMessage];
        said.push(`${answer.statusCode} ${answer.rawHeaders.join('\n')}\n${await text(answer)}`);
      };
      await ask('/_ci/emit', '{"once":20}');
      await ask('/_ci/faults', '{"effect":{"shuffle":true},"times":3}');
      for (const path of [
        '/repos/demo-org/feature-flags/deployments?per_page=100',
        '/repos/demo-org/payments-api/deployments/4830001/statuses',
        '/repos/demo-org/order-service/actions/runs/4901/jobs?filter=all',
        '/repos/demo-org/search-indexer/actions/artifacts/47100/zip',
        '/api/v4/projects/71/deployments',
        '/_ci/status',
        '/_ci/export',
        '/_ci/requests',
      ]) {
        await ask(path);
      }
      return said;
    };
    const [first, second] = [await transcript(), await transcript()];
    expect(second).toEqual(first);
  });
});
