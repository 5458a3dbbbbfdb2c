import { describe, expect, test } from 'vitest';
import { aProject, aSeed, testEmulator } from './support/emulator.ts';

describe('fetcher §10: GitLab', () => {
  const [deployed] = aProject().deployments;
  if (!deployed) throw new Error('the seed has a deployment');
  /** The events of a deployment with these members; a member that is `undefined` is omitted. */
  const events = async (fields: object) => {
    const members = Object.entries({ ...deployed, ...fields }).filter(([, value]) => value !== undefined);
    const project = aProject({ deployments: [Object.fromEntries(members) as typeof deployed] });
    const emulator = await testEmulator({}, aSeed({ repos: [], projects: [project] }));
    return emulator.exported();
  };

  test('every field of an event is derived from the tool', async () => {
    expect((await events({})).at(-1)).toEqual({
      deployment_id: 'gl-deploy-701',
      service: 'ledger',
      environment: 'dev',
      status: 'success',
      happened_at: '2026-05-04T08:15:00.000Z',
      version: 'bbbbbbbb',
      actor: 'olivia',
      ref: 'main',
      sha: 'b'.repeat(40),
      run_url: 'https://gitlab.com/acme/ledger/-/jobs/7101',
      run_number: '71',
    });
  });

  test.each<[object, readonly string[]]>([
    [{ status: 'created', started_at: undefined, finished_at: undefined }, ['pending 08:10']],
    [{ status: 'running', finished_at: undefined }, ['pending 08:10', 'in-progress 08:11']],
    [{ status: 'success' }, ['pending 08:10', 'in-progress 08:11', 'success 08:15']],
    [{ status: 'success', started_at: undefined }, ['success 08:15']],
    [{ status: 'success', pipeline: undefined, job: undefined }, ['success 08:15']],
    [{ status: 'failed' }, ['pending 08:10', 'in-progress 08:11', 'failure 08:15']],
    [
      { status: 'failed', failure_reason: 'failed_outdated_deployment_job' },
      ['pending 08:10', 'in-progress 08:11', 'cancelled 08:15'],
    ],
    [{ status: 'failed', failure_reason: 'deployment_rejected', started_at: undefined }, ['rejected 08:15']],
    [{ status: 'canceled' }, ['pending 08:10', 'cancelled 08:15']],
    [{ status: 'skipped', started_at: undefined }, ['pending 08:10', 'cancelled 08:15']],
    [{ status: 'blocked', started_at: undefined, finished_at: undefined }, ['pending 08:10', 'waiting 08:10']],
  ])('the deployment %j is exported as %j', async (row, expected) => {
    const told = await events(row);
    expect(told.map(({ status, happened_at }) => `${status} ${happened_at.slice(11, 16)}`)).toEqual(expected);
  });

  test.each<[string, readonly string[] | undefined]>([
    ['a job in the nearest earlier stage that deploys', undefined],
    ['the job that it needs', ['deploy-dev']],
  ])('the parent of a job is %s', async (_, needs) => {
    const jobs = [
      { name: 'deploy-dev', stage: 'dev' },
      { name: 'deploy-production', stage: 'production', ...(needs && { needs: [...needs] }) },
    ];
    const rows = [deployed, { ...deployed, id: 702, iid: 2, job: 'deploy-production', environment: 'production' }];
    const project = aProject({
      pipelines: [{ id: 71, stages: ['dev', 'test', 'production'], jobs }],
      deployments: rows as never,
    });
    const emulator = await testEmulator({}, aSeed({ repos: [], projects: [project] }));
    const last = (await emulator.exported()).find(({ environment }) => environment === 'production');
    expect(last?.parent_deployments).toEqual(['gl-deploy-701']);
  });
});
