import type { CiDeploymentCreated } from '@shiplog/companions';
import { sharedService } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { project, repository, rowsOf, smallRun } from './support/run.ts';
import { dayMs, hourMs } from './support/seeds.ts';

const service = sharedService();

const cycleMs = 30_000;

test('an approval after 29 days ends in the log as in the tool', async () => {
  const run = await smallRun({ service, fetcher: { POLL_INTERVAL_SECONDS: '3600' } });
  await run.startFetcher();
  const begunAt = run.clock.now().toISOString();
  const deploy = (body: object) => run.ci<CiDeploymentCreated>('/deployments', { environment: 'prod', ...body });
  const approved = await deploy({ repository, state: 'waiting' });
  const rejected = await deploy({ repository, state: 'waiting', environment: 'dev' });
  const inGitlab = await deploy({ repository: project, status: 'blocked' });
  await run.caughtUp(hourMs);
  const move = (id: string, body: object) => run.ci(`/deployments/${id}/statuses`, body);
  await run.leap(29 * dayMs, dayMs);
  await move(approved.deployment_id, { state: 'success' });
  await move(rejected.deployment_id, { state: 'failure', rejected_by: 'erin' });
  await move(inGitlab.deployment_id, { state: 'success' });
  await run.leap(hourMs, hourMs);
  // GitLab keeps no history, so only the log has the statuses in between.
  const meanwhile = ['pending', 'waiting'].map((status) => ({
    ...{ deployment_id: inGitlab.deployment_id, status: status as 'pending' | 'waiting', happened_at: begunAt },
  }));
  expect(rowsOf(await run.log())).toEqual(rowsOf([...(await run.expected()), ...meanwhile]));
});

test('a deployment that is deleted while it runs is cancelled once, and so is one that was superseded', async () => {
  const run = await smallRun({ service, projects: 0 });
  await run.startFetcher();
  await run.caughtUp();
  const deploy = (body: object) => run.ci<CiDeploymentCreated>('/deployments', { repository, ...body });
  const vanishing = await deploy({ environment: 'dev', state: 'in_progress' });
  const superseded = await deploy({ environment: 'prod', state: 'in_progress' });
  await run.pass(cycleMs);
  await run.ci(`/deployments/${superseded.deployment_id}/statuses`, { state: 'inactive' });
  await run.ci(`/deployments/${vanishing.deployment_id}`, undefined, 'DELETE');
  const before = run.clock.now();
  await run.pass(40 * cycleMs);
  const log = await run.log();
  const of = ({ deployment_id }: CiDeploymentCreated) => log.filter((row) => row.deployment_id === deployment_id);
  expect(
    of(vanishing)
      .map(({ status }) => status)
      .sort(),
  ).toEqual(['cancelled', 'in-progress']);
  expect(
    of(superseded)
      .map(({ status }) => status)
      .sort(),
  ).toEqual(['cancelled', 'in-progress']);
  const end = of(vanishing).find(({ status }) => status === 'cancelled');
  // At the second poll without it.
  expect(Date.parse(end?.happened_at ?? '') - before.getTime()).toBeLessThanOrEqual(2 * cycleMs);
  expect((await run.health()).sources).toMatchObject([{ open: 0, last_outcome: 'ok' }]);
});
