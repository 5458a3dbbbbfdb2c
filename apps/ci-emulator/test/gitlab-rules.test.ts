import { describe, expect, test } from 'vitest';
import { aProject, aSeed, aSeedOfDeployments, testEmulator, token } from './support/emulator.ts';

type Row = Readonly<Record<string, unknown>>;

const deployments = '/projects/7/deployments';

describe('§4.1: order and filters', () => {
  const three = aSeedOfDeployments(
    { status: 'success', elapsed_minutes: 50, started_at: 49, finished_at: 10 },
    { status: 'success', elapsed_minutes: 40, started_at: 39, finished_at: 30, environment: 'production' },
    { status: 'running', elapsed_minutes: 30, started_at: 20, finished_at: 19 },
  );

  test.each<[string, readonly number[]]>([
    ['', [701, 702, 703]],
    ['?sort=desc', [703, 702, 701]],
    ['?order_by=created_at', [701, 702, 703]],
    ['?order_by=updated_at', [702, 703, 701]],
    ['?order_by=finished_at&sort=asc', [702, 701, 703]],
    ['?order_by=iid&sort=desc', [703, 702, 701]],
    ['?environment=production', [702]],
    ['?status=running', [703]],
    ['?order_by=updated_at&updated_after=2026-05-04T08:35:00Z', [703, 701]],
    ['?order_by=updated_at&updated_before=2026-05-04T08:35:00Z', [702]],
    ['?order_by=updated_at&updated_after=2026-05-04T08:40:00.000Z', [703, 701]],
  ])('a list with the query "%s" contains %j', async (query, ids) => {
    const emulator = await testEmulator({}, three);
    expect((await emulator.gitlab<Row[]>(`${deployments}${query}`)).body.map(({ id }) => id)).toEqual(ids);
  });

  test('deployments with equal times are ordered by id', async () => {
    const emulator = await testEmulator({}, aSeedOfDeployments({ id: 790 }, { id: 780 }, { id: 785 }));
    const { body } = await emulator.gitlab<Row[]>(`${deployments}?order_by=updated_at`);
    expect(body.map(({ id }) => id)).toEqual([780, 785, 790]);
  });

  test.each<[string, string]>([
    ['?updated_after=2026-05-04T08:00:00Z', '400 Bad request - `updated_at` filter requires `updated_at` sort'],
    [
      '?updated_before=2026-05-04T08:00:00Z&order_by=id',
      '400 Bad request - `updated_at` filter requires `updated_at` sort',
    ],
    ['?order_by=colour', 'order_by does not have a valid value'],
    ['?order_by=updated_at&updated_after=soon', 'updated_after is invalid'],
  ])('refuses the query %s', async (query, message) => {
    const emulator = await testEmulator();
    const { status, body } = await emulator.gitlab(`${deployments}${query}`);
    expect([status, body]).toEqual([400, { message }]);
  });
});

describe('§4.2: pages', () => {
  test.each<[string, number, Record<string, string | null>]>([
    [
      '',
      20,
      {
        'x-page': '1',
        'x-per-page': '20',
        'x-next-page': '2',
        'x-prev-page': '',
        'x-total': '45',
        'x-total-pages': '3',
      },
    ],
    ['?page=3', 5, { 'x-page': '3', 'x-next-page': '', 'x-prev-page': '2' }],
    ['?per_page=500', 45, { 'x-per-page': '100', 'x-next-page': '', 'x-total-pages': '1' }],
    ['?page=9', 0, { 'x-page': '9', 'x-next-page': '' }],
  ])('a page with the query "%s" has %i rows and headers with its position', async (query, length, expected) => {
    const emulator = await testEmulator({}, aSeedOfDeployments(...Array.from({ length: 45 }, () => ({}))));
    const { body, headers } = await emulator.gitlab<Row[]>(`${deployments}${query}`);
    expect(body).toHaveLength(length);
    for (const [name, value] of Object.entries(expected)) expect([name, headers.get(name)]).toEqual([name, value]);
  });

  test('the next page is linked with the other query parameters', async () => {
    const emulator = await testEmulator({}, aSeedOfDeployments({}, {}, {}));
    const { headers } = await emulator.gitlab(`${deployments}?per_page=2&order_by=updated_at`);
    expect(headers.get('link')).toContain(
      `<${emulator.url}/api/v4${deployments}?per_page=2&order_by=updated_at&page=2>; rel="next"`,
    );
  });

  test('lists of more than ten thousand rows have no totals', async () => {
    const emulator = await testEmulator({}, aSeedOfDeployments(...Array.from({ length: 10_001 }, () => ({}))));
    const { headers } = await emulator.gitlab(deployments);
    expect([headers.get('x-total'), headers.get('x-total-pages'), headers.get('x-next-page')]).toEqual([
      null,
      null,
      '2',
    ]);
    expect(headers.get('link')).not.toContain('rel="last"');
  });

  test('keyset pagination is refused', async () => {
    const emulator = await testEmulator();
    expect((await emulator.gitlab(`${deployments}?pagination=keyset`)).status).toBe(405);
  });
});

describe('§4.3, §4.4: validators and limits', () => {
  test('a 304 counts against the quota like any response', async () => {
    const emulator = await testEmulator();
    const etag = (await emulator.gitlab(deployments)).headers.get('etag') ?? '';
    const { status, headers, body } = await emulator.gitlab(deployments, { 'if-none-match': etag });
    expect([status, body, headers.get('ratelimit-observed')]).toEqual([304, '', '2']);
  });

  test('requests beyond the limit per minute get 429 and plain text', async () => {
    const emulator = await testEmulator({ GITLAB_SIM_RATE_LIMIT: '1' });
    await emulator.advance(10_000);
    const first = await emulator.gitlab(deployments);
    expect(Object.fromEntries(first.headers)).toMatchObject({
      'ratelimit-limit': '1',
      'ratelimit-observed': '1',
      'ratelimit-remaining': '0',
      'ratelimit-reset': String(Date.parse('2026-05-04T09:01:00Z') / 1000),
      'ratelimit-resettime': 'Mon, 04 May 2026 09:01:00 GMT',
      'ratelimit-name': expect.any(String),
    });
    await emulator.advance(10_000);
    const { status, headers, body } = await emulator.gitlab<string>(deployments);
    expect([status, headers.get('retry-after'), body.trim()]).toEqual([429, '40', 'Retry later']);
    expect(headers.get('content-type')).toBe('text/plain');
    await emulator.advance(40_000);
    expect((await emulator.gitlab(deployments)).status).toBe(200);
  });

  test('responses have no rate headers if limits are off', async () => {
    const emulator = await testEmulator({ GITLAB_SIM_RATE_LIMIT: '0' });
    expect(
      [...(await emulator.gitlab(deployments)).headers.keys()].filter((name) => name.startsWith('ratelimit')),
    ).toEqual([]);
  });
});

describe('§4.5: tokens and refusals', () => {
  test.each<[Record<string, string>, number]>([
    [{ 'private-token': token }, 200],
    [{ 'private-token': '', authorization: `Bearer ${token}` }, 200],
    [{ 'private-token': 'wrong' }, 401],
    [{ 'private-token': '' }, 401],
  ])('a request with the headers %j gets the status %i', async (headers, status) => {
    const emulator = await testEmulator({ REQUIRE_TOKEN: token });
    const answer = await emulator.gitlab(deployments, headers);
    expect(answer.status).toBe(status);
    if (status === 401) expect(answer.body).toEqual({ message: '401 Unauthorized' });
  });

  test.each([
    ['/projects/99/deployments', '404 Project Not Found'],
    ['/projects/acme%2Fnone', '404 Project Not Found'],
    ['/projects/7/deployments/9', '404 Not found'],
    ['/groups/none/projects', '404 Group Not Found'],
    ['/projects/7/merge_requests', '404 Not Found'],
  ])("a request for %s gets 404 in the tool's format", async (path, message) => {
    const emulator = await testEmulator();
    const { status, body } = await emulator.gitlab(path);
    expect([status, body]).toEqual([404, { message }]);
  });

  test('a forbidden project is not found', async () => {
    const emulator = await testEmulator();
    await emulator.post('/_ci/repositories/acme/ledger', { forbidden: true }, 'PATCH');
    expect((await emulator.gitlab(deployments)).body).toEqual({ message: '404 Project Not Found' });
    expect((await emulator.gitlab('/projects')).body).toEqual([]);
    const asked = { operationName: 'ShiplogPipelineJobs', variables: { fullPath: 'acme/ledger', iid: '1' } };
    expect((await emulator.post('/api/graphql', asked)).body).toEqual({ data: { project: null } });
  });
});

test('§4.6: times have milliseconds and the offset of the project', async () => {
  const projects = [aProject({ utc_offset: '-03:30' })];
  const emulator = await testEmulator({}, aSeed({ projects }));
  const { body } = await emulator.gitlab<Row[]>(deployments);
  expect(body[0]?.created_at).toBe('2026-05-04T04:40:00.000-03:30');
});

test('a retried job is a new job with its own id, and both keep their outcome', async () => {
  const emulator = await testEmulator();
  const again = { repository: 'acme/ledger', environment: 'dev', run: 71, job: 'deploy-dev' };
  await emulator.deploy({ ...again, status: 'failed' });
  await emulator.deploy({ ...again, environment: 'production', job: 'deploy-production', status: 'running' });
  type Row = { status: string; deployable: { id: number; pipeline: { id: number } } };
  const rows = (await emulator.gitlab<Row[]>('/projects/7/deployments')).body;
  expect(rows.map(({ deployable: { id, pipeline } }) => [id, pipeline.id])).toEqual([
    [7101, 71],
    [7103, 71],
    [7102, 71],
  ]);
  for (const { status, deployable } of rows) {
    const job = await emulator.gitlab<{ status: string }>(`/projects/7/jobs/${deployable.id}`);
    expect(job.body.status).toBe(status);
  }
  const body = JSON.stringify({
    operationName: 'ShiplogPipelineJobs',
    variables: { fullPath: 'acme/ledger', iid: '1' },
  });
  const asked = { method: 'POST', headers: { 'private-token': token }, body };
  const text = JSON.stringify((await emulator.send('/api/graphql', asked)).body);
  expect(text).toContain('Ci::Build/7103');
  expect(text).not.toContain('Ci::Build/7101');
});
