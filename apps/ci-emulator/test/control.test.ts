import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CiEmission, CiStatus } from '@shiplog/companions';
import { describe, expect, onTestFinished, test } from 'vitest';
import { aProject, aRepo, aSeed, startsAt, testEmulator } from './support/emulator.ts';

interface Refused {
  readonly errors: readonly { readonly pointer: string; readonly message: string }[];
}

/** A folder of scenarios with these files in `ci`. */
function scenariosWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'shiplog-ci-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'ci'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, 'ci', name), text);
  return folder;
}

describe('§5.1: status', () => {
  test('its members come in the order that the card of the driver shows', async () => {
    const emulator = await testEmulator();
    const status = await emulator.status();
    expect(Object.keys(status)).toEqual(
      'dataset repos deployments statuses workflows environments emitting seeded_at seed now rate_limit faults webhooks requests'.split(
        ' ',
      ),
    );
    expect(status).toMatchObject({
      dataset: 'data',
      repos: 2,
      deployments: 2,
      statuses: 4,
      workflows: 2,
      environments: 4,
      emitting: false,
      seeded_at: startsAt,
      seed: 1,
      now: startsAt,
      rate_limit: null,
    });
  });

  test('it lives, and tells metrics', async () => {
    const emulator = await testEmulator();
    expect((await emulator.send('/healthz')).body).toEqual({ status: 'ok' });
    expect((await emulator.send<string>('/metrics')).body).toContain('http_requests_total');
  });
});

describe('§5.2: seeding', () => {
  test('seeding twice changes nothing, and reset begins anew', async () => {
    const emulator = await testEmulator();
    const { requests: _, ...before } = await emulator.status();
    await emulator.seed({ data: aSeed() });
    expect(await emulator.status()).toMatchObject(before);
    await emulator.deploy();
    const { body } = await emulator.seed({ data: aSeed(), reset: true, dataset: 'mine' });
    expect(body).toMatchObject({ dataset: 'mine', deployments: 2 });
  });

  test('a second dataset adds to the first', async () => {
    const emulator = await testEmulator();
    const { body } = await emulator.seed({ dataset: 'random', count: 2 });
    expect(body).toMatchObject({ dataset: 'random', repos: 4 });
  });

  test('the newest instant of a dataset becomes the anchor, and ages count from it', async () => {
    const [deployment] = aRepo().deployments;
    if (!deployment) throw new Error('the seed has a deployment');
    const { elapsed_minutes: _, ...bare } = deployment;
    const absolute = {
      ...bare,
      created_at: '2020-01-01T00:00:00Z',
      statuses: [{ id: 1, state: 'success' as const, created_at: '2020-01-01T00:10:00Z' }],
    };
    const aged = { ...deployment, id: 102, statuses: [] };
    const data = aSeed({ repos: [aRepo({ deployments: [absolute, aged] })] });
    const emulator = await testEmulator({}, null);
    await emulator.seed({ data, anchor: '2026-03-01T12:00:00Z' });
    const { body } =
      await emulator.github<{ created_at: string; updated_at: string }[]>('/repos/acme/shop/deployments');
    expect(body.map(({ created_at, updated_at }) => [created_at, updated_at])).toEqual([
      ['2026-03-01T11:00:00Z', '2026-03-01T11:00:00Z'],
      ['2026-03-01T11:50:00Z', '2026-03-01T12:00:00Z'],
    ]);
  });

  test.each<[object, string]>([
    [{ dataset: 'nowhere' }, '/dataset'],
    [{ dataset: '../demo-set' }, '/dataset'],
    [{ count: 0 }, '/count'],
    [{ count: 101, dataset: 'random' }, '/count'],
    [{ seed: -1 }, '/seed'],
    [{ colour: 'red' }, '/colour'],
    [{ data: { repos: [] } }, '/data/projects'],
    [{ data: aSeed({ repos: [aRepo(), aRepo()] }) }, '/data/repos/1/repo'],
    [
      { data: aSeed({ repos: [{ ...aRepo(), deployments: [{ id: 1 }] } as never] }) },
      '/data/repos/0/deployments/0/sha',
    ],
    [{ data: aSeed({ projects: [aProject({ pipelines: [] })] }) }, '/data/projects/0/deployments/0/pipeline'],
  ])('§6: %j is refused, and nothing changes', async (request, pointer) => {
    const emulator = await testEmulator();
    const before = await emulator.status();
    const { status, body } = await emulator.post<Refused>('/_ci/seed', { reset: true, ...request });
    expect([status, body.errors.map((error) => error.pointer)]).toEqual([422, expect.arrayContaining([pointer])]);
    expect(await emulator.status()).toEqual(before);
  });

  test('files of the folder are datasets by their names; one with a fault is refused with its pointer', async () => {
    const folder = scenariosWith({
      'mine.json': JSON.stringify(aSeed()),
      'broken.json': '{"repos":[{}],"projects":[]}',
      'torn.json': '{',
    });
    const emulator = await testEmulator({ SCENARIOS_DIR: folder }, null);
    expect((await emulator.seed({ dataset: 'mine' })).body).toMatchObject({ dataset: 'mine', repos: 2 });
    const faultOf = async (dataset: string) =>
      (await emulator.post<Refused>('/_ci/seed', { dataset })).body.errors[0]?.message;
    expect(await faultOf('broken')).toMatch(/^has a fault: \/repos\/0\/owner is required$/);
    expect(await faultOf('torn')).toMatch(/cannot be read as JSON/);
    expect(await faultOf('none')).toBe('is not known; there are demo, random, empty, broken, mine, torn');
  });

  test('at the start a dataset with a fault is left out', async () => {
    const folder = scenariosWith({ 'broken.json': '{}' });
    const emulator = await testEmulator({ SCENARIOS_DIR: folder, SEED_ON_STARTUP: 'true', SEED_DATASET: 'broken' });
    expect(await emulator.status()).toMatchObject({ dataset: '', repos: 0, seeded_at: null });
  });

  test('an empty body seeds the demo', async () => {
    const emulator = await testEmulator({}, null);
    expect((await emulator.post<CiStatus>('/_ci/seed')).body).toMatchObject({ dataset: 'demo', repos: 13 });
  });

  test('clearing empties store, log and deliveries, and keeps faults, webhooks, clock and rate windows', async () => {
    const emulator = await testEmulator();
    await emulator.github('/repos/acme/shop/deployments');
    await emulator.fault({ effect: { status: 500 } });
    await emulator.post('/_ci/webhooks', { tool: 'gitlab', url: 'http://127.0.0.1:9/hook', secret: 'a-secret' });
    await emulator.post('/_ci/emit', { enabled: true });
    const { body } = await emulator.post<CiStatus>('/_ci/clear');
    expect(body).toMatchObject({
      dataset: '',
      repos: 0,
      deployments: 0,
      emitting: false,
      seeded_at: null,
      faults: 1,
      webhooks: 1,
      requests: { total: 0 },
      rate_limit: { used: 1 },
    });
    expect(await emulator.requests()).toEqual([]);
  });
});

describe('§5.3: emission', () => {
  test('an emitted deployment passes queued and in_progress, and ends as it was asked to', async () => {
    const emulator = await testEmulator();
    await emulator.post('/_ci/emit', { once: 1, repository: 'acme/shop', environment: 'staging', outcome: 'failure' });
    const { body } = await emulator.github<{ state: string }[]>('/repos/acme/shop/deployments/702/statuses');
    expect(body.map(({ state }) => state)).toEqual(['failure', 'in_progress', 'queued']);
  });

  test.each([
    ['success', 'acme/shop', ['queued', 'in-progress', 'success']],
    ['error', 'acme/shop', ['queued', 'in-progress', 'failure']],
    ['cancelled', 'acme/shop', ['queued', 'in-progress', 'cancelled']],
    ['rejected', 'acme/shop', ['queued', 'waiting', 'rejected']],
    ['pending', 'acme/shop', ['pending']],
    ['waiting', 'acme/shop', ['queued', 'waiting']],
    ['in_progress', 'acme/shop', ['queued', 'in-progress']],
    ['inactive', 'acme/shop', ['queued', 'in-progress', 'cancelled']],
    ['success', 'acme/ledger', ['pending', 'in-progress', 'success']],
    ['failure', 'acme/ledger', ['pending', 'in-progress', 'failure']],
    ['cancelled', 'acme/ledger', ['pending', 'cancelled']],
    ['rejected', 'acme/ledger', ['rejected']],
  ] as const)('the outcome %s in %s means %j', async (outcome, repository, statuses) => {
    const emulator = await testEmulator();
    const before = await emulator.exported();
    await emulator.post('/_ci/emit', { once: 1, repository, environment: 'dev', outcome });
    const known = new Set(before.map(({ deployment_id }) => deployment_id));
    const emitted = (await emulator.exported()).filter(({ deployment_id }) => !known.has(deployment_id));
    expect(emitted.map(({ status }) => status)).toEqual(statuses);
  });

  test('repositories and environments take turns', async () => {
    const emulator = await testEmulator();
    const { body } = await emulator.post<CiEmission>('/_ci/emit', { once: 5 });
    expect(body).toEqual({ emitting: false, interval_ms: 8000, emitted: 5 });
    const { body: rows } = await emulator.github<{ environment: string }[]>('/repos/acme/shop/deployments');
    expect(rows.map(({ environment }) => environment)).toEqual(['dev', 'staging', 'dev', 'dev']);
    const { body: others } = await emulator.gitlab<{ environment: { name: string } }[]>('/projects/7/deployments');
    expect(others.map(({ environment }) => environment.name)).toEqual(['dev', 'dev', 'production']);
  });

  test('a switch toggles, and a running emission is not begun again', async () => {
    const emulator = await testEmulator();
    const flip = async (body?: object) => (await emulator.post<CiEmission>('/_ci/emit', body)).body.emitting;
    expect([
      await flip(),
      await flip({ once: 1 }),
      await flip({ enabled: true }),
      await flip(),
      await flip({ enabled: false }),
    ]).toEqual([true, true, true, false, false]);
  });

  test('the first comes after an interval, and then one at each', async () => {
    const emulator = await testEmulator({ EMIT_INTERVAL_MS: '50' });
    await emulator.post('/_ci/emit', { enabled: true });
    const emitted = async (): Promise<number> => {
      const { body } = await emulator.send<CiEmission>('/_ci/emit');
      return body.emitted >= 2 ? body.emitted : emitted();
    };
    expect(await emitted()).toBeGreaterThanOrEqual(2);
  });

  test.each<[object, string]>([
    [{ once: 0 }, '/once'],
    [{ once: 101 }, '/once'],
    [{ interval_ms: 49 }, '/interval_ms'],
    [{ outcome: 'lost' }, '/outcome'],
    [{ repository: 'acme/none' }, '/repository'],
    [{ enabled: 'yes' }, '/enabled'],
  ])('%j is refused', async (request, pointer) => {
    const emulator = await testEmulator();
    const { status, body } = await emulator.post<Refused>('/_ci/emit', request);
    expect([status, body.errors[0]?.pointer]).toEqual([422, pointer]);
  });
});

describe('§5.4: deployments by hand', () => {
  test('what is not said is made up, and it exists at once', async () => {
    const emulator = await testEmulator();
    const created = await emulator.deploy({ environment: 'staging' });
    expect(created).toEqual({ id: 702, deployment_id: 'gh-deploy-702' });
    expect((await emulator.github('/repos/acme/shop/deployments/702')).body).toMatchObject({
      environment: 'staging',
      sha: expect.stringMatching(/^[0-9a-f]{40}$/),
      ref: 'main',
      created_at: '2026-05-04T09:00:00Z',
    });
    const gitlab = await emulator.deploy({ repository: 'acme/ledger', environment: 'production', status: 'running' });
    expect(gitlab.deployment_id).toBe(`gl-deploy-${gitlab.id}`);
    expect((await emulator.gitlab(`/projects/7/deployments/${gitlab.id}`)).body).toMatchObject({
      iid: 2,
      status: 'running',
      deployable: { name: 'deploy-production' },
    });
  });

  test('a second deployment of a job in a run is a re-run', async () => {
    const emulator = await testEmulator();
    await emulator.deploy({ environment: 'staging', run: 11, job: 'staging' });
    await emulator.deploy({ environment: 'staging', run: 11, job: 'staging' });
    expect((await emulator.github('/repos/acme/shop/actions/runs/11')).body).toMatchObject({ run_attempt: 2 });
  });

  test('a deployment of either tool moves on by its deployment_id, with what its job concluded', async () => {
    const emulator = await testEmulator();
    const { id } = await emulator.deploy({ environment: 'staging' });
    const { status, body } = await emulator.move(`gh-deploy-${id}`, {
      state: 'failure',
      at: '2026-05-04T09:00:30Z',
      job_conclusion: 'cancelled',
    });
    expect([status, body]).toEqual([201, { id: expect.any(Number) }]);
    expect((await emulator.exported()).at(-1)).toMatchObject({
      deployment_id: `gh-deploy-${id}`,
      status: 'cancelled',
      happened_at: '2026-05-04T09:00:30Z',
    });
    expect((await emulator.move('gl-deploy-701', { state: 'failed', rejected_by: 'erin' })).status).toBe(201);
    expect((await emulator.gitlab<{ failure_reason: string }>('/projects/7/jobs/7101')).body.failure_reason).toBe(
      'deployment_rejected',
    );
  });

  test.each<[string, object, string]>([
    ['/_ci/deployments', { environment: 'dev' }, '/repository'],
    ['/_ci/deployments', { repository: 'acme/none', environment: 'dev' }, '/repository'],
    ['/_ci/deployments', { repository: 'acme/shop', environment: 'dev', status: 'running' }, '/status'],
    ['/_ci/deployments', { repository: 'acme/ledger', environment: 'dev', state: 'success' }, '/state'],
    ['/_ci/deployments', { repository: 'acme/shop', environment: 'dev', state: 'running' }, '/state'],
    ['/_ci/deployments/101/statuses', { state: 'failed' }, '/state'],
    ['/_ci/deployments/101/statuses', { state: 'done' }, '/state'],
    ['/_ci/deployments/gl-deploy-701/statuses', { state: 'failure' }, '/state'],
    ['/_ci/deployments/gl-deploy-701/statuses', { state: 'failed', run_conclusion: 'failure' }, '/run_conclusion'],
  ])('POST %s %j is refused at %s', async (path, request, pointer) => {
    const emulator = await testEmulator();
    const { status, body } = await emulator.post<Refused>(path, request);
    expect([status, body.errors[0]?.pointer]).toEqual([422, pointer]);
  });

  test('what is deleted is 404 in the tool from then on', async () => {
    const emulator = await testEmulator();
    expect((await emulator.post('/_ci/deployments/101', undefined, 'DELETE')).status).toBe(204);
    expect((await emulator.github('/repos/acme/shop/deployments/101')).status).toBe(404);
    expect((await emulator.github('/repos/acme/shop/deployments')).body).toEqual([]);
    expect((await emulator.post('/_ci/repositories/acme/shop', undefined, 'DELETE')).status).toBe(204);
    expect((await emulator.github('/repos/acme/shop/deployments')).status).toBe(404);
    expect((await emulator.post('/_ci/repositories/acme/ledger', undefined, 'DELETE')).status).toBe(204);
    expect((await emulator.gitlab('/projects/7')).status).toBe(404);
  });

  test.each([
    ['DELETE', '/_ci/deployments/999'],
    ['POST', '/_ci/deployments/999/statuses'],
    ['DELETE', '/_ci/repositories/acme/none'],
    ['PATCH', '/_ci/repositories/acme/none'],
  ])('%s %s of nobody is 404', async (method, path) => {
    const emulator = await testEmulator();
    expect((await emulator.post(path, { state: 'success' }, method)).status).toBe(method === 'PATCH' ? 422 : 404);
    if (method === 'PATCH') expect((await emulator.post(path, {}, method)).status).toBe(404);
  });

  test('§12.2: a repository keeps its number under its next name, and the name is then free', async () => {
    const emulator = await testEmulator();
    const patch = (body: object) => emulator.post<{ id: number }>('/_ci/repositories/acme/shop', body, 'PATCH');
    expect((await patch({ renamed_to: 'acme/ledger' })).status).toBe(422);
    expect((await patch({ renamed_to: 'acme/a/b' })).status).toBe(422);
    const { body } = await patch({ archived: true, renamed_to: 'zoe/store' });
    expect(body).toEqual({ id: 1, full_name: 'zoe/store', forbidden: false, archived: true });
    expect((await emulator.github<{ id: number }[]>('/users/zoe/repos')).body[0]).toMatchObject({
      id: 1,
      archived: true,
    });
  });
});

describe('§5: clock', () => {
  test('a virtual clock moves forwards only, by a time or to an instant', async () => {
    const emulator = await testEmulator();
    const move = (body: object) => emulator.post<{ now: string }>('/_ci/clock', body);
    expect((await emulator.send('/_ci/clock')).body).toEqual({ clock: 'virtual', now: startsAt });
    expect((await move({ advance_ms: 1500 })).body.now).toBe('2026-05-04T09:00:01.500Z');
    expect((await move({ now: '2026-05-05T00:00:00Z' })).body.now).toBe('2026-05-05T00:00:00.000Z');
    expect((await move({ now: startsAt })).status).toBe(422);
    expect((await move({ advance_ms: -1 })).status).toBe(422);
    expect((await emulator.status()).now).toBe('2026-05-05T00:00:00.000Z');
  });

  test('the real clock is not moved', async () => {
    const emulator = await testEmulator({ CLOCK: 'real' });
    const { status, body } = await emulator.post('/_ci/clock', { advance_ms: 1 });
    expect([status, body]).toEqual([409, expect.objectContaining({ type: '/problems/conflict' })]);
    expect((await emulator.send('/_ci/clock')).body).toMatchObject({ clock: 'real' });
  });

  test('§2: a virtual clock without an instant begins at the last UTC midnight', async () => {
    const emulator = await testEmulator({ CLOCK: 'virtual' });
    expect((await emulator.status()).now).toBe(new Date(new Date().setUTCHours(0, 0, 0, 0)).toISOString());
  });
});

test('§5: calls that change something are refused from pages of other sites, and asking is not', async () => {
  const emulator = await testEmulator();
  const headers = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
  for (const [method, path] of [
    ['POST', '/_ci/seed'],
    ['POST', '/_ci/clear'],
    ['POST', '/_ci/emit'],
    ['POST', '/_ci/deployments'],
    ['POST', '/_ci/deployments/101/statuses'],
    ['DELETE', '/_ci/deployments/101'],
    ['PATCH', '/_ci/repositories/acme/shop'],
    ['DELETE', '/_ci/repositories/acme/shop'],
    ['POST', '/_ci/faults'],
    ['DELETE', '/_ci/faults'],
    ['POST', '/_ci/clock'],
    ['POST', '/_ci/webhooks'],
    ['DELETE', '/_ci/webhooks/1'],
    ['POST', '/_ci/deliveries/x/redeliver'],
  ] as const) {
    expect([path, (await emulator.send(path, { method, headers })).status]).toEqual([path, 403]);
  }
  expect((await emulator.send('/_ci/status', { headers })).status).toBe(200);
});
