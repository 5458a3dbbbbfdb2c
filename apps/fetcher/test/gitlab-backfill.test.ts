import type { SeedData, SeedProject } from '@shiplog/companions';
import { expect, test } from 'vitest';
import { aProject, aSeed, aSeedOfDeployments } from '../../ci-emulator/test/support/emulator.ts';
import { never } from './support/asked-tool.ts';
import { dayMs } from './support/seeds.ts';
import { type GitlabOptions, GitlabRun } from './support/source-run.ts';

const hourMs = 3_600_000;

function trialOf(data: SeedData, options: GitlabOptions = {}): Promise<GitlabRun> {
  return GitlabRun.start({ data, places: ['acme/**'], ...options });
}

/**
 * This many successful deployments, one per hour, alternately in dev and production. The newest is an hour old. A
 * deployment has three changes if it has a job, else one.
 */
function past(count: number, { hasJobs = false, ...fields }: Partial<SeedProject> & { hasJobs?: boolean } = {}) {
  const { id = 7 } = fields;
  const rows = Array.from({ length: count }, (_, index) => ({
    id: id * 1000 + index,
    iid: index + 1,
    elapsed_minutes: (count - index) * 60,
    started_at: (count - index) * 60 - 1,
    finished_at: (count - index) * 60 - 2,
    environment: index % 2 === 0 ? 'dev' : 'production',
  }));
  const [project = aProject()] = aSeedOfDeployments(...rows).projects;
  const deployments = hasJobs ? project.deployments : project.deployments.map(({ pipeline, job, ...one }) => one);
  return { ...project, deployments, ...(!hasJobs && { pipelines: [] }), ...fields };
}

/** The ids in each step of a backfill, without duplicates. */
async function stepsOf(trial: GitlabRun): Promise<string[][]> {
  const source = trial.begun();
  await trial.take(source.poll(trial.memory, { signal: never }));
  const steps: string[][] = [];
  for await (const { changes } of source.backfill(trial.memory, never)) {
    steps.push([...new Set(changes.map(({ id }) => id.replace('gl-deploy-', '')))]);
  }
  return steps;
}

test('§8.2: the backfill reads the newest deployment of each environment, then alternates between projects page by page, oldest first', async () => {
  const other = past(2, { id: 8, path: 'acme/other' });
  const trial = await trialOf(aSeed({ repos: [], projects: [past(250), other] }));
  const steps = await stepsOf(trial);
  expect(steps.map((step) => [step.length, step[0], step.at(-1)])).toEqual([
    [2, '7248', '7249'],
    [2, '8000', '8001'],
    [98, '7150', '7247'],
    [0, undefined, undefined],
    [100, '7050', '7149'],
    [50, '7000', '7049'],
    [0, undefined, undefined],
  ]);
});

test('§15.5: the horizon applies to the creation time, and the page that contains it is the last one requested', async () => {
  const trial = await trialOf(aSeed({ repos: [], projects: [past(250)] }));
  const source = trial.source();
  trial.memory = source.begin(new Date(trial.nowMs - 120 * hourMs));
  await trial.cycle(source);
  const told = new Set([...trial.log.rows.values()].map(({ id }) => id));
  expect(told.size).toBe(120);
  expect((await trial.asked()).filter((path) => path.endsWith('&page=3'))).toEqual([]);
});

test.each([1, 2, 4])(
  'with a depth of %d the backfill reads at most that many changes per environment',
  async (backfillDepth) => {
    const trial = await trialOf(aSeed({ repos: [], projects: [past(250, { hasJobs: true })] }), {
      times: { backfillDepth },
    });
    await trial.first();
    const ofDev = trial.rows.filter(({ environment }) => environment === 'dev');
    const expected = (await trial.expected()).filter(({ environment }) => environment === 'dev');
    expect(ofDev.map(({ status, happened_at }) => [status, happened_at])).toEqual(
      expected.slice(-backfillDepth).map(({ status, happened_at }) => [status, happened_at]),
    );
  },
);

test('a backfill keeps its depth if the process ends between two pages', async () => {
  const trial = await trialOf(aSeed({ repos: [], projects: [past(250)] }), { times: { backfillDepth: 3 } });
  const source = trial.begun();
  await trial.take(source.poll(trial.memory, { signal: never }));
  await trial.take(source.backfill(trial.memory, never), 3);
  await trial.cycle(trial.source());
  expect(trial.log.rows.size).toBe(6);
});

test('a backfill that reads one page per call keeps its depth and ends', async () => {
  const trial = await trialOf(aSeed({ repos: [], projects: [past(250)] }), { times: { backfillDepth: 30 } });
  const source = trial.begun();
  await trial.take(source.poll(trial.memory, { signal: never }));
  for (let call = 0; call < 6; call += 1) await trial.take(source.backfill(trial.memory, never), 1);
  expect([trial.log.rows.size, source.figures(trial.memory).backfill]).toEqual([60, null]);
});

test('if a process ends between two pages of a backfill, the next process reads the remaining pages', async () => {
  const trial = await trialOf(aSeed({ repos: [], projects: [past(250)] }));
  const source = trial.begun();
  await trial.take(source.poll(trial.memory, { signal: never }));
  await trial.take(source.backfill(trial.memory, never), 3);
  await trial.asked();
  await trial.cycle(trial.source());
  expect(trial.rows).toEqual(await trial.expected());
  expect((await trial.asked()).filter((path) => path.endsWith('&page=3'))).toHaveLength(1);
});

test('a backfill pauses if it would leave too few requests for polling, and shows its progress', async () => {
  const trial = await trialOf(aSeed({ repos: [], projects: [past(250)] }), { requestsPerMinute: 4 });
  const source = await trial.first();
  expect(source.figures(trial.memory).backfill).toEqual({ done: 0, left: 1 });
  for (let minute = 0; minute < 5; minute += 1) {
    trial.clock.advance(60_000);
    await trial.cycle(source);
  }
  expect(source.figures(trial.memory).backfill).toBeNull();
  expect(trial.log.rows.size).toBe(168);
});

test('a new project of a group is backfilled', async () => {
  const trial = await trialOf(aSeed({ repos: [], projects: [past(2)] }));
  const source = await trial.first();
  const other = past(2, { id: 5, path: 'acme/sub/other' });
  await trial.emulator.seed({ data: aSeed({ repos: [], projects: [other] }) });
  await trial.cycle(source);
  expect(trial.log.rows.size).toBe(2);
  trial.clock.advance(hourMs);
  await trial.cycle(source);
  expect(trial.log.rows.size).toBe(4);
  expect(source.figures(trial.memory)).toMatchObject({ backfill: null, forbidden: [] });
});

test('a second backfill keeps the marks of polling', async () => {
  const trial = await trialOf(aSeed({ repos: [], projects: [past(2)] }));
  const source = await trial.first();
  const { r } = trial.memory as { r: object };
  trial.log.forget();
  trial.memory = source.begin(new Date(trial.nowMs - 30 * dayMs), trial.memory);
  expect(trial.memory).toMatchObject({ r, b: { p: 1 } });
  await trial.cycle(source);
  expect(trial.log.rows.size).toBe(2);
});

test('a refused project is skipped and backfilled once it is accessible', async () => {
  const trial = await trialOf(aSeed({ repos: [], projects: [past(2)] }));
  await trial.emulator.fault({ match: { path: '/api/v4/projects/7/deployments' }, effect: { status: 403 } });
  const source = await trial.first();
  expect([trial.log.rows.size, source.figures(trial.memory).backfill]).toEqual([0, null]);
  trial.clock.advance(hourMs);
  await trial.cycle(source);
  expect(trial.log.rows.size).toBe(2);
});

test('the backfill requests a page again if there was no response', async () => {
  const two = aSeed({
    repos: [],
    projects: [past(150), aProject({ id: 8, path: 'acme/other', pipelines: [], deployments: [] })],
  });
  const trial = await trialOf(two);
  await trial.emulator.fault({ match: { path: '/api/v4/projects/7/deployments', nth: 4 }, effect: { status: 502 } });
  const source = await trial.first();
  await trial.cycle(source);
  expect(trial.log.rows.size).toBe(150);
});

test('open deployments are counted only up to WATCH_MAX_AGE', async () => {
  const data = aSeedOfDeployments({ status: 'running' }, { status: 'created' }, {});
  const trial = await trialOf({ ...data, repos: [] });
  const source = await trial.first();
  expect(source.figures(trial.memory).open).toBe(2);
  await trial.emulator.move('gl-deploy-701', { state: 'success' });
  await trial.cycle(source);
  expect(source.figures(trial.memory).open).toBe(1);
  trial.clock.advance(36 * dayMs);
  expect(source.figures(trial.memory).open).toBe(0);
});
