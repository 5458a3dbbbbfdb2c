import { describe, expect, test } from 'vitest';
import { aProject, aSeed, aSeedOfDeployments, testEmulator, token } from './support/emulator.ts';

type Row = Readonly<Record<string, unknown>>;

const deployments = '/projects/7/deployments';

describe('§4: responses', () => {
  test('a deployment has its job, its pipeline and its environment', async () => {
    const emulator = await testEmulator();
    const { body } = await emulator.gitlab<Row[]>(deployments);
    expect(body).toEqual([
      {
        id: 701,
        iid: 1,
        ref: 'main',
        sha: 'b'.repeat(40),
        status: 'success',
        created_at: '2026-05-04T08:10:00.000Z',
        updated_at: '2026-05-04T08:15:00.000Z',
        user: expect.objectContaining({ id: expect.any(Number), username: 'olivia', name: 'olivia' }),
        environment: { id: expect.any(Number), name: 'dev', external_url: null },
        deployable: {
          id: 7101,
          name: 'deploy-dev',
          stage: 'dev',
          status: 'success',
          ref: 'main',
          tag: false,
          created_at: '2026-05-04T08:10:00.000Z',
          started_at: '2026-05-04T08:11:00.000Z',
          finished_at: '2026-05-04T08:15:00.000Z',
          web_url: 'https://gitlab.com/acme/ledger/-/jobs/7101',
          user: expect.objectContaining({ username: 'olivia' }),
          pipeline: {
            id: 71,
            iid: 1,
            ref: 'main',
            sha: 'b'.repeat(40),
            status: 'success',
            web_url: 'https://gitlab.com/acme/ledger/-/pipelines/71',
          },
        },
      },
    ]);
  });

  test('a deployment without a job has a null deployable', async () => {
    const [deployed] = aProject().deployments;
    if (!deployed) throw new Error('the project has a deployment');
    const { pipeline: _, job: __, ...bare } = deployed;
    const emulator = await testEmulator({}, aSeed({ projects: [aProject({ deployments: [bare] })] }));
    expect((await emulator.gitlab<Row[]>(deployments)).body[0]?.deployable).toBeNull();
  });

  test('a deployment requested by id includes its approvals', async () => {
    const approvals = [{ user: 'peggy', status: 'approved' as const, created_at: 46, comment: 'go' }];
    const emulator = await testEmulator({}, aSeedOfDeployments({ approvals }, { status: 'blocked' }));
    expect((await emulator.gitlab<Row>(`${deployments}/701`)).body).toMatchObject({
      id: 701,
      pending_approval_count: 0,
      approvals: [
        { user: { username: 'peggy' }, status: 'approved', created_at: '2026-05-04T08:14:00.000Z', comment: 'go' },
      ],
    });
    expect((await emulator.gitlab<Row>(`${deployments}/702`)).body.pending_approval_count).toBe(1);
  });

  test('a failed job has its reason', async () => {
    const emulator = await testEmulator(
      {},
      aSeedOfDeployments({ status: 'failed', failure_reason: 'deployment_rejected' }),
    );
    expect((await emulator.gitlab('/projects/7/jobs/7101')).body).toMatchObject({
      id: 7101,
      status: 'failed',
      failure_reason: 'deployment_rejected',
      allow_failure: false,
    });
  });

  test.each([
    ['/projects', ['acme/ledger', 'acme/deep/web']],
    ['/groups/acme/projects', ['acme/ledger']],
    ['/groups/acme/projects?include_subgroups=true', ['acme/ledger', 'acme/deep/web']],
    ['/groups/acme%2Fdeep/projects', ['acme/deep/web']],
  ])('the path %s lists projects', async (path, paths) => {
    const projects = [aProject(), aProject({ id: 8, path: 'acme/deep/web', deployments: [] })];
    const emulator = await testEmulator({}, aSeed({ projects }));
    const { body } = await emulator.gitlab<Row[]>(path);
    expect(body.map((row) => row.path_with_namespace)).toEqual(paths);
    expect(Object.keys(body[0] ?? {})).toEqual(expect.arrayContaining(['id', 'path', 'web_url', 'archived']));
  });

  test.each(['7', 'acme%2Fledger', 'ACME%2FLedger'])('§12.1: a project is found by %s', async (id) => {
    const emulator = await testEmulator();
    expect((await emulator.gitlab(`/projects/${id}`)).body).toMatchObject({
      id: 7,
      path_with_namespace: 'acme/ledger',
    });
    expect((await emulator.gitlab(`/projects/${id}/deployments`)).status).toBe(200);
  });

  test('environments have a slug and a tier', async () => {
    const emulator = await testEmulator();
    expect((await emulator.gitlab('/projects/7/environments')).body).toMatchObject([
      { name: 'dev', slug: 'dev', state: 'available', tier: 'development' },
      { name: 'production', tier: 'production' },
    ]);
  });

  test('the GraphQL operation returns the stages and jobs of a pipeline', async () => {
    const emulator = await testEmulator();
    const ask = (body: object) =>
      emulator.send<Row>('/api/graphql', {
        method: 'POST',
        headers: { 'private-token': token },
        body: JSON.stringify(body),
      });
    const variables = { fullPath: 'acme/ledger', iid: '1' };
    const { body } = await ask({ operationName: 'ShiplogPipelineJobs', query: 'query …', variables });
    expect(body).toEqual({
      data: {
        project: {
          pipeline: {
            stages: { nodes: [{ name: 'dev' }, { name: 'production' }] },
            jobs: {
              nodes: [
                { id: 'gid://gitlab/Ci::Build/7101', name: 'deploy-dev', stage: { name: 'dev' }, needs: { nodes: [] } },
                {
                  id: 'gid://gitlab/Ci::Build/7102',
                  name: 'deploy-production',
                  stage: { name: 'production' },
                  needs: { nodes: [] },
                },
              ],
            },
          },
        },
      },
    });
    expect((await ask({ operationName: 'Other', variables })).body).toHaveProperty('errors');
    expect((await ask({ operationName: 'ShiplogPipelineJobs', variables: { ...variables, iid: '9' } })).body).toEqual({
      data: { project: { pipeline: null } },
    });
    expect(
      (await ask({ operationName: 'ShiplogPipelineJobs', variables: { ...variables, fullPath: 'x/y' } })).body,
    ).toEqual({ data: { project: null } });
  });
});
