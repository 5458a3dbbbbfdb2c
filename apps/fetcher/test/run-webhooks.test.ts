import { type CiDeploymentCreated, ciTools } from '@shiplog/companions';
import { sharedService } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { project, type Run, repository, rowsOf, smallRun } from './support/run.ts';
import { deliver, delivered, deliveriesOf, hookSettings } from './support/run-hooks.ts';

const service = sharedService();

const cycleMs = 30_000;
const steps = {
  [repository]: ['queued', 'in_progress', 'success'],
  [project]: ['created', 'running', 'success'],
} as const;
/** GitLab sends no delivery for the first status. */
const sent = 5;

/** A deployment in each tool, with some seconds between its statuses. */
async function deployTwice(run: Run, stepMs: number): Promise<void> {
  const ids = new Map<string, string>();
  for (const step of [0, 1, 2]) {
    for (const [place, names] of Object.entries(steps)) {
      const name = names[step];
      const id = ids.get(place);
      if (id) await run.ci(`/deployments/${id}/statuses`, { state: name });
      else {
        const first = place === project ? { status: name } : { state: name };
        const body = { repository: place, environment: 'dev', ...first };
        ids.set(place, (await run.ci<CiDeploymentCreated>('/deployments', body)).deployment_id);
      }
    }
    await run.pass(stepMs);
  }
}

test('deliveries in any order together with polling report each change once', async () => {
  const run = await smallRun({ service, repos: 1, fetcher: hookSettings });
  await run.startFetcher();
  await run.caughtUp();
  for (const mode of ['normal', 'duplicate', 'reorder', 'drop', 'bad-signature', 'late']) {
    const before = (await deliveriesOf(run)).length;
    const ends = await Promise.all(ciTools.map((tool) => deliver(run, tool, mode)));
    await deployTwice(run, 7000);
    if (mode === 'normal') expect(rowsOf(await run.log())).toEqual(rowsOf(await run.expected()));
    if (mode === 'late') await delivered(run, before + sent);
    await run.pass(cycleMs);
    for (const end of ends) await end();
    expect((await deliveriesOf(run)).length).toBeGreaterThan(before);
    expect({ [mode]: rowsOf(await run.log()) }).toEqual({ [mode]: rowsOf(await run.expected()) });
  }
});

test.each(['normal', 'duplicate'])('without polling, %s deliveries fill the log', async (mode) => {
  const run = await smallRun({ service, repos: 1, deployments: 0, fetcher: hookSettings });
  await run.startFetcher({ GITHUB_REPOS: '', GITLAB_PROJECTS: '' });
  for (const tool of ciTools) await deliver(run, tool, mode);
  await deployTwice(run, 1000);
  await deployTwice(run, 0);
  await run.quiet();
  const log = await run.log();
  const told = (await run.expected()).filter(({ status }) => status !== 'pending');
  expect(rowsOf(log)).toEqual(rowsOf(told));
  expect(log).toHaveLength(2 * sent);
});
