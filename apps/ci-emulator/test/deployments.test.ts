import { describe, expect, test } from 'vitest';
import { aRepo, aSeed, type Refused, testEmulator } from './support/emulator.ts';

describe('§5.4: deployments created with the control API', () => {
  test('missing fields get defaults, and the deployment is visible immediately', async () => {
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

  test.each([
    [
      { version: '3.9.0', services: ['gateway'] },
      { version: '3.9.1', services: ['gateway'] },
    ],
    [{ version: 'r09' }, { version: 'r10' }],
    [{ version: 'latest' }, { version: 'latest' }],
    [{ version: 7 }, { version: 7 }],
    ['as text', 'as text'],
    [{}, {}],
  ])('after a deployment with the payload %j, the next one has the payload %j by default', async (payload, next) => {
    const emulator = await testEmulator();
    await emulator.deploy({ payload });
    const shown = async ({ id }: { readonly id: number }) =>
      (await emulator.github<{ payload: unknown }>(`/repos/acme/shop/deployments/${id}`)).body.payload;
    expect(await shown(await emulator.deploy())).toEqual(next);
    expect(await shown(await emulator.deploy({ payload: { said: true } }))).toEqual({ said: true });
  });

  test('a deployment gets an artifact if the previous one in its environment has one', async () => {
    const [built] = aRepo().deployments;
    if (!built) throw new Error('the repository has a deployment');
    const artifact = { id: 900, name: 'version.txt', content: 'v0.8.0' };
    const emulator = await testEmulator({}, aSeed({ repos: [aRepo({ deployments: [{ ...built, artifact }] })] }));
    const artifactsOf = async (run: number) =>
      (await emulator.github<{ artifacts: object[] }>(`/repos/acme/shop/actions/runs/${run}/artifacts`)).body.artifacts;
    const { id } = await emulator.deploy({ environment: 'dev', run: 40 });
    await emulator.deploy({ environment: 'staging', run: 41 });
    expect(await artifactsOf(40)).toMatchObject([{ id, name: 'version.txt', size_in_bytes: 6 }]);
    expect(await artifactsOf(41)).toEqual([]);
  });

  test('a deployment is transient by default if the previous one was', async () => {
    const emulator = await testEmulator();
    const made = [
      await emulator.deploy({ environment: 'pr-1', transient: true }),
      await emulator.deploy({ environment: 'pr-1' }),
      await emulator.deploy({ environment: 'staging' }),
    ];
    const shown = made.map(({ id }) =>
      emulator.github<{ transient_environment: boolean }>(`/repos/acme/shop/deployments/${id}`),
    );
    expect((await Promise.all(shown)).map(({ body }) => body.transient_environment)).toEqual([true, true, false]);
  });

  test('a second deployment of a job in a run is another attempt of the run', async () => {
    const emulator = await testEmulator();
    await emulator.deploy({ environment: 'staging', run: 11, job: 'staging' });
    await emulator.deploy({ environment: 'staging', run: 11, job: 'staging' });
    expect((await emulator.github('/repos/acme/shop/actions/runs/11')).body).toMatchObject({ run_attempt: 2 });
  });

  test("statuses of either tool are added by deployment_id, with the job's conclusion", async () => {
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
  ])('refuses POST %s with %j, with the pointer %s', async (path, request, pointer) => {
    const emulator = await testEmulator();
    const { status, body } = await emulator.post<Refused>(path, request);
    expect([status, body.errors[0]?.pointer]).toEqual([422, pointer]);
  });

  test('the tool returns 404 for a deleted resource', async () => {
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
  ])('%s of an unknown %s returns 404', async (method, path) => {
    const emulator = await testEmulator();
    expect((await emulator.post(path, { state: 'success' }, method)).status).toBe(method === 'PATCH' ? 422 : 404);
    if (method === 'PATCH') expect((await emulator.post(path, {}, method)).status).toBe(404);
  });

  test('§12.2: a renamed repository keeps its id, and its old name becomes available', async () => {
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
