import type { CiDeploymentCreated } from '@shiplog/companions';
import { expect, test } from 'vitest';
import { repository, rowsOf, smallRun } from './support/run.ts';
import { dayMs, hourMs } from './support/seeds.ts';

test('with four polls a day, a deployment approved after 34 days ends in the log as in the tool', async () => {
  const run = await smallRun({ repos: 1, projects: 0, fetcher: { POLL_INTERVAL_SECONDS: '3600' } });
  await run.startFetcher();
  const body = { repository, environment: 'prod', state: 'waiting' };
  const { deployment_id } = await run.ci<CiDeploymentCreated>('/deployments', body);
  await run.caughtUp(hourMs);
  await run.leap(34 * dayMs, 6 * hourMs);
  expect((await run.health()).sources).toMatchObject([{ open: 1, last_outcome: 'ok' }]);
  await run.ci(`/deployments/${deployment_id}/statuses`, { state: 'success' });
  await run.leap(2 * hourMs, hourMs);
  expect(rowsOf(await run.log())).toEqual(rowsOf(await run.expected()));
  expect((await run.health()).sources).toMatchObject([{ open: 0, last_outcome: 'ok' }]);
});
