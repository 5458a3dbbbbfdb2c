import type { GitlabStatus } from '@shiplog/companions';
import { describe, expect, test } from 'vitest';
import { aProject, aSeed } from '../../ci-emulator/test/support/emulator.ts';
import { GitlabRun } from './support/source-run.ts';

const minuteMs = 60_000;
const repository = 'acme/ledger';
const data = aSeed({ repos: [], projects: [aProject()] });

function trialOf(): Promise<GitlabRun> {
  return GitlabRun.start({ data, places: ['acme/*'] });
}

/** Production waits while dev is deployed again in the same pipeline; `look` is called after each change. */
async function retriedBeforeProduction(trial: GitlabRun, look: () => Promise<unknown>): Promise<void> {
  const next = async (id: string, state: GitlabStatus) => {
    trial.clock.advance(minuteMs);
    await trial.emulator.move(id, { state });
    await look();
  };
  const prod = await trial.emulator.deploy({
    repository,
    environment: 'production',
    run: 71,
    job: 'deploy-production',
  });
  await look();
  trial.clock.advance(minuteMs);
  const dev = await trial.emulator.deploy({ repository, environment: 'dev', run: 71, job: 'deploy-dev' });
  await look();
  await next(dev.deployment_id, 'running');
  await next(dev.deployment_id, 'success');
  await next(prod.deployment_id, 'running');
  await next(prod.deployment_id, 'success');
}

function parentsOf(trial: GitlabRun, environment: string) {
  const rows = trial.rows.filter((row) => row.environment === environment);
  return rows.map(({ status, parent_deployments }) => [status, parent_deployments]);
}

describe('§10.4: parents', () => {
  test('a change has the parents that existed at its time, however often it is read', async () => {
    const often = await trialOf();
    const source = await often.first();
    await retriedBeforeProduction(often, () => often.cycle(source));
    const late = await trialOf();
    await retriedBeforeProduction(late, async () => {});
    await late.first();
    expect(parentsOf(late, 'production')).toEqual([
      ['pending', ['gl-deploy-701']],
      ['in-progress', ['gl-deploy-703']],
      ['success', ['gl-deploy-703']],
    ]);
    expect(often.rows).toEqual(late.rows);
  });

  test('parents are requested once per pipeline, and known deployments are not requested', async () => {
    const trial = await trialOf();
    const source = await trial.first();
    await trial.asked();
    const { deployment_id } = await trial.emulator.deploy({ repository, environment: 'production', run: 71 });
    await trial.cycle(source);
    await trial.emulator.move(deployment_id, { state: 'running' });
    await trial.cycle(source);
    const asked = (await trial.asked()).map((path) => path.replace(/updated_after=[^&]*/, ''));
    const list = '/api/v4/projects/7/deployments?order_by=updated_at&sort=asc&&per_page=100';
    expect(asked).toEqual([list, '/api/graphql', list]);
  });

  test("a new process requests the pipeline's deployments that it does not know", async () => {
    const trial = await trialOf();
    await trial.first();
    await trial.emulator.deploy({ repository, environment: 'production', run: 71 });
    await trial.cycle(trial.source());
    expect(parentsOf(trial, 'production')).toEqual([['pending', ['gl-deploy-701']]]);
  });

  test('the only deployment of a pipeline requires no query', async () => {
    const trial = await trialOf();
    await trial.first();
    expect((await trial.asked()).filter((path) => path.includes('graphql'))).toEqual([]);
  });

  test.each<[what: string, rule: object]>([
    ['no answer', { match: { path: '/api/graphql' }, effect: { status: 502 } }],
    ['a refusal', { match: { path: '/api/graphql' }, effect: { status: 403 } }],
    ['broken JSON', { match: { path: '/api/graphql' }, effect: { garbage: true } }],
    ['errors', { match: { path: '/api/graphql' }, effect: { status: 400, body: '{"errors":[]}' } }],
  ])('after %s a deployment has no parents and is not delayed', async (_, rule) => {
    const trial = await trialOf();
    const source = await trial.first();
    await trial.emulator.fault(rule);
    await trial.emulator.deploy({ repository, environment: 'production', run: 71 });
    await trial.cycle(source);
    expect(parentsOf(trial, 'production')).toEqual([['pending', undefined]]);
  });

  test('a deployment whose siblings GitLab does not list has no parents and is not delayed', async () => {
    const trial = await trialOf();
    await trial.first();
    await trial.emulator.deploy({ repository, environment: 'production', run: 71 });
    await trial.emulator.fault({ match: { path: '/api/v4/projects/7/deployments', nth: 2 }, effect: { status: 502 } });
    await trial.cycle(trial.source());
    expect(parentsOf(trial, 'production')).toEqual([['pending', undefined]]);
  });

  test('a rejected token is reported, and no parents are lost', async () => {
    const trial = await trialOf();
    const source = await trial.first();
    await trial.emulator.deploy({ repository, environment: 'production', run: 71 });
    await trial.emulator.fault({ match: { path: '/api/graphql' }, effect: { status: 401 } });
    await expect(trial.cycle(source)).rejects.toThrow('token');
    await trial.cycle(source);
    expect(parentsOf(trial, 'production')).toEqual([['pending', ['gl-deploy-701']]]);
  });
});

describe('§10.2: the reason for a failure', () => {
  const jobPath = '/api/v4/projects/7/jobs/*';

  async function failed(faults: readonly object[], cycles: number, move: object = {}): Promise<string[]> {
    const trial = await trialOf();
    const source = await trial.first();
    trial.log.forget();
    for (const effect of faults) await trial.emulator.fault({ match: { path: jobPath }, effect });
    const { id } = await trial.emulator.deploy({ repository, environment: 'production', run: 71 });
    await trial.emulator.move(id, { state: 'failed', ...move });
    for (let cycle = 0; cycle < cycles; cycle += 1) await trial.cycle(source).catch(() => undefined);
    return trial.told;
  }

  test.each<[what: string, faults: readonly object[], cycles: number, move: object, expected: readonly string[]]>([
    ['the job has a reason', [], 1, { rejected_by: 'peggy' }, ['production rejected 09:00']],
    ['the job has no reason', [], 1, {}, ['production failure 09:00']],
    ['the job no longer exists', [{ status: 404 }], 1, { rejected_by: 'peggy' }, ['production failure 09:00']],
    ['a request for the job fails', [{ status: 500 }], 1, {}, []],
    [
      'a later request for the job succeeds',
      [{ status: 500 }],
      2,
      { rejected_by: 'peggy' },
      ['production rejected 09:00'],
    ],
    [
      'every request for the job fails',
      [{ status: 500 }, { status: 500 }, { status: 500 }],
      3,
      {},
      ['production failure 09:00'],
    ],
  ])('%s', async (_, faults, cycles, move, expected) => {
    expect(await failed(faults, cycles, move)).toEqual(expected);
  });
});
