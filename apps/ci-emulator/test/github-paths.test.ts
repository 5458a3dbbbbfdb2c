import { unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import { aRepo, aSeed, deployFile, type TestEmulator, testEmulator } from './support/emulator.ts';

interface Row {
  readonly [name: string]: unknown;
}

const [deployment] = aRepo().deployments;
if (!deployment) throw new Error('the seed has a deployment');

async function rows(emulator: TestEmulator, path: string): Promise<Row[]> {
  return (await emulator.github<Row[]>(path)).body;
}

test.each<[string, string, readonly string[]]>([
  [
    'a deployment',
    '/repos/acme/shop/deployments/101',
    'id node_id sha ref task payload environment original_environment description creator created_at updated_at statuses_url repository_url url transient_environment production_environment'.split(
      ' ',
    ),
  ],
  [
    'a run',
    '/repos/acme/shop/actions/runs/11',
    'id name display_title path head_sha head_branch run_number run_attempt event status conclusion actor triggering_actor html_url created_at updated_at workflow_id'.split(
      ' ',
    ),
  ],
])('§3: %s has the same members as on GitHub', async (_, path, members) => {
  const emulator = await testEmulator();
  for (const prefix of ['', '/api/v3']) {
    const { status, body } = await emulator.github<Row>(`${prefix}${path}`);
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(expect.arrayContaining([...members]));
  }
});

test('§3: statuses are listed newest first, with a link to the job on the real site', async () => {
  const emulator = await testEmulator();
  const statuses = await rows(emulator, '/repos/acme/shop/deployments/101/statuses');
  expect(statuses.map(({ state }) => state)).toEqual(['success', 'in_progress', 'queued']);
  const [newest] = statuses;
  expect(newest).toMatchObject({
    id: 1003,
    log_url: 'https://github.com/acme/shop/actions/runs/11/job/11002',
    target_url: 'https://github.com/acme/shop/actions/runs/11/job/11002',
    environment: 'dev',
    creator: { login: 'github-actions[bot]', type: 'Bot' },
    created_at: '2026-05-04T08:05:00Z',
    deployment_url: `${emulator.url}/repos/acme/shop/deployments/101`,
  });
});

test('§3: responses to requests below /api/v3 contain addresses below /api/v3', async () => {
  const emulator = await testEmulator();
  const { body } = await emulator.github<Row>('/api/v3/repos/acme/shop/deployments/101');
  expect(body.statuses_url).toBe(`${emulator.url}/api/v3/repos/acme/shop/deployments/101/statuses`);
});

test.each([
  ['environment=dev', [101]],
  ['environment=staging', [102]],
  [`sha=${'c'.repeat(40)}`, [102]],
  ['ref=release', [102]],
  ['task=migrate', [102]],
  ['task=deploy&environment=dev', [101]],
  ['environment=', [102, 101]],
])('§3: deployments are listed newest first, filtered by %s', async (query, ids) => {
  const other = {
    ...deployment,
    id: 102,
    environment: 'staging',
    sha: 'c'.repeat(40),
    ref: 'release',
    task: 'migrate',
    statuses: [],
  };
  const emulator = await testEmulator({}, aSeed({ repos: [aRepo({ deployments: [deployment, other] })] }));
  expect((await rows(emulator, `/repos/acme/shop/deployments?${query}`)).map(({ id }) => id)).toEqual(ids);
});

test('§3: a run lists every job in its file, for all attempts or only the latest', async () => {
  const again = {
    ...deployment,
    id: 102,
    run_attempt: 2,
    statuses: [{ id: 1004, state: 'in_progress' as const, elapsed_minutes: 3 }],
  };
  const emulator = await testEmulator({}, aSeed({ repos: [aRepo({ deployments: [deployment, again] })] }));
  const jobs = async (query: string) =>
    (await emulator.github<{ total_count: number; jobs: Row[] }>(`/repos/acme/shop/actions/runs/11/jobs${query}`)).body;
  const latest = await jobs('?filter=latest');
  expect(latest.jobs.map(({ name, run_attempt, status }) => [name, run_attempt, status])).toEqual([
    ['build', 2, 'completed'],
    ['To dev', 2, 'in_progress'],
    ['staging', 2, 'queued'],
  ]);
  expect(await jobs('')).toEqual(latest);
  const all = await jobs('?filter=all');
  expect(all.total_count).toBe(6);
  expect(all.jobs[1]).toMatchObject({ name: 'To dev', run_attempt: 1, conclusion: 'success' });
  expect(new Set(all.jobs.map(({ id }) => id)).size).toBe(6);
});

test.each([
  ['cancelled', {}, 'cancelled'],
  ['failure', {}, 'failure'],
  [undefined, {}, 'failure'],
] as const)('§3: a run that concluded %s has a job with that conclusion', async (run_conclusion, _, conclusion) => {
  const failed = {
    ...deployment,
    statuses: [{ id: 1001, state: 'failure' as const, elapsed_minutes: 1 }],
    ...(run_conclusion && { run_conclusion }),
  };
  const emulator = await testEmulator({}, aSeed({ repos: [aRepo({ deployments: [failed] })] }));
  const { body } = await emulator.github<{ jobs: Row[] }>('/repos/acme/shop/actions/runs/11/jobs');
  expect(body.jobs[1]).toMatchObject({ status: 'completed', conclusion });
  expect((await emulator.github<Row>('/repos/acme/shop/actions/runs/11')).body.conclusion).toBe(conclusion);
});

test('§3: approvals and reviews name the reviewer and the environment', async () => {
  const reviewed = { ...deployment, reviews: [{ state: 'rejected' as const, user: 'erin', submitted_at: 2 }] };
  const emulator = await testEmulator({}, aSeed({ repos: [aRepo({ deployments: [reviewed] })] }));
  expect(await rows(emulator, '/repos/acme/shop/actions/runs/11/approvals')).toMatchObject([
    { state: 'rejected', comment: '', user: { login: 'erin' }, environments: [{ name: 'dev' }] },
  ]);
  expect(await rows(emulator, '/repos/acme/shop/deployments/101/reviews')).toMatchObject([
    { state: 'rejected', user: { login: 'erin' }, submitted_at: '2026-05-04T08:58:00Z' },
  ]);
});

test('§3: a file is returned as base64 in lines of 60 characters, at every existing ref', async () => {
  const gone = { ...deployment, id: 102, ref: 'gone' };
  const repo = aRepo({ deployments: [deployment, gone], deleted_branches: ['gone'] });
  const emulator = await testEmulator({}, aSeed({ repos: [repo] }));
  const path = '/repos/acme/shop/contents/.github/workflows/deploy.yml';
  for (const query of ['', '?ref=main', `?ref=${'a'.repeat(40)}`]) {
    const { body } = await emulator.github<{ content: string; encoding: string; path: string; size: number }>(
      path + query,
    );
    expect(body).toMatchObject({
      type: 'file',
      encoding: 'base64',
      path: '.github/workflows/deploy.yml',
      name: 'deploy.yml',
    });
    expect(Buffer.from(body.content, 'base64').toString()).toBe(deployFile);
    expect(Math.max(...body.content.split('\n').map((line) => line.length))).toBe(60);
  }
  expect((await emulator.github(`${path}?ref=gone`)).status).toBe(404);
  expect((await emulator.github('/repos/acme/shop/contents/README.md')).status).toBe(404);
});

test('§3, §3.8: an artifact is a zip behind a redirect to a short-lived address without credentials', async () => {
  const built = { ...deployment, artifact: { id: 900, name: 'version.txt', content: 'v0.8.0\n' } };
  const emulator = await testEmulator({}, aSeed({ repos: [aRepo({ deployments: [built] })] }));
  const { body } = await emulator.github<{ artifacts: Row[] }>('/repos/acme/shop/actions/runs/11/artifacts');
  expect(body).toMatchObject({
    total_count: 1,
    artifacts: [{ id: 900, name: 'version.txt', expired: false, size_in_bytes: 7 }],
  });
  const redirect = await emulator.github('/repos/acme/shop/actions/artifacts/900/zip');
  expect(redirect.status).toBe(302);
  const location = redirect.headers.get('location') ?? '';
  const path = location.slice(emulator.url.length);
  expect((await emulator.github(path)).status).toBe(400);
  const zip = new Uint8Array(await (await fetch(location)).arrayBuffer());
  const [[name, content] = []] = Object.entries(unzipSync(zip));
  expect([name, Buffer.from(content ?? []).toString()]).toEqual(['version.txt', 'v0.8.0\n']);
  await emulator.advance(60_000);
  expect((await emulator.send(path)).status).toBe(403);
});

test('§3: an artifact older than 90 days gets 410', async () => {
  const built = { ...deployment, artifact: { id: 900, name: 'version', content: 'x' } };
  const emulator = await testEmulator({}, aSeed({ repos: [aRepo({ deployments: [built] })] }));
  await emulator.advance(91 * 86_400_000);
  const { body } = await emulator.github<{ artifacts: Row[] }>('/repos/acme/shop/actions/runs/11/artifacts');
  expect(body.artifacts[0]).toMatchObject({ expired: true });
  expect((await emulator.github('/repos/acme/shop/actions/artifacts/900/zip')).status).toBe(410);
});

test('§3: lists of workflows and environments contain their length', async () => {
  const emulator = await testEmulator();
  expect((await emulator.github('/repos/acme/shop/actions/workflows')).body).toEqual({
    total_count: 1,
    workflows: [{ id: 1, name: 'Deploy', path: '.github/workflows/deploy.yml', state: 'active' }],
  });
  expect((await emulator.github('/repos/acme/shop/environments')).body).toMatchObject({
    total_count: 2,
    environments: [{ name: 'dev' }, { name: 'staging' }],
  });
});

test.each([
  ['/orgs/acme/repos', ['acme/shop', 'acme/old']],
  ['/orgs/ACME/repos', ['acme/shop', 'acme/old']],
  ['/users/acme/repos', ['acme/shop', 'acme/old']],
  ['/users/zoe/repos', ['zoe/site']],
  ['/user/repos', ['acme/shop', 'acme/old', 'zoe/site']],
])('§3: %s lists repositories with their owners', async (path, names) => {
  const repos = [
    aRepo(),
    aRepo({ repo: 'old', archived: true, deployments: [] }),
    aRepo({ owner: 'zoe', repo: 'site', owner_type: 'User', deployments: [] }),
  ];
  const emulator = await testEmulator({}, aSeed({ repos }));
  const found = await rows(emulator, path);
  expect(found.map(({ full_name }) => full_name)).toEqual(names);
  for (const row of found) {
    expect(row).toMatchObject({
      id: expect.any(Number),
      name: expect.any(String),
      archived: row.name === 'old',
      owner: { type: row.name === 'site' ? 'User' : 'Organization' },
    });
  }
  expect((await emulator.github('/orgs/zoe/repos')).status).toBe(404);
  expect((await emulator.github('/users/nobody/repos')).status).toBe(404);
});

test('§3: an App gets tokens for an hour, and lists its installations', async () => {
  const emulator = await testEmulator({ REQUIRE_TOKEN: 'the-token' });
  const issue = (authorization: string) =>
    emulator.send<{ token: string; expires_at: string }>('/app/installations/5/access_tokens', {
      method: 'POST',
      headers: { authorization },
    });
  expect((await issue('Bearer nonsense')).status).toBe(401);
  const { status, body } = await issue('Bearer aaa.bbb.ccc');
  expect(status).toBe(201);
  expect(body).toMatchObject({ token: 'ghs_emulated_1', expires_at: '2026-05-04T10:00:00Z' });
  const headers = { authorization: `Bearer ${body.token}` };
  const list = () => emulator.send<Row>('/installation/repositories', { headers });
  expect((await list()).body).toMatchObject({ total_count: 1, repositories: [{ full_name: 'acme/shop' }] });
  await emulator.advance(3_600_000);
  expect((await list()).status).toBe(401);
});
