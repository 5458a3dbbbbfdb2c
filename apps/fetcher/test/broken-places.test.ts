import { expect, test } from 'vitest';
import { aProject, aSeed as gitlabSeed } from '../../ci-emulator/test/support/emulator.ts';
import { aRepo, aSeed, hourMs, minuteMs } from './support/seeds.ts';
import { GithubRun, GitlabRun } from './support/source-run.ts';

const names = ['a', 'b', 'c', 'd', 'e', 'f'];
const broken = ['acme/a', 'acme/b', 'acme/c'];

/** Six repositories. The first three in polling order give no usable response. */
async function withBroken(): Promise<GithubRun> {
  const run = await GithubRun.start(
    aSeed(...names.map((name, index) => aRepo(name, 2, { firstId: 1000 * (index + 1) }))),
  );
  for (const name of broken) await breakDown(run, name);
  return run;
}

function breakDown(run: GithubRun, name: string): Promise<unknown> {
  return run.ci('/faults', { match: { path: `/repos/${name}/**` }, effect: { status: 500 }, for_ms: 24 * hourMs });
}

function namesFailing(run: GithubRun): string[] {
  return run.source.figures(run.memory).failing.map(({ name }) => name);
}

test("three adjacent broken repositories don't delay other repositories, even in the first cycle", async () => {
  const run = await withBroken();
  await run.cycles();
  const expected = await run.expected();
  const ids = new Set(run.log.told.map((row) => row.slice('gh-deploy-'.length, 'gh-deploy-'.length + 1)));
  expect([...ids]).toEqual(['4', '5', '6']);
  const id = await run.deploy('acme/f', { state: 'success' });
  await run.poll();
  expect(run.log.told.some((row) => row.startsWith(`gh-deploy-${id} `))).toBe(true);
  expect(namesFailing(run)).toEqual(broken);
  await run.ci('/faults', undefined, 'DELETE');
  run.clock.advance(hourMs);
  await run.cycles(2);
  expect(run.log.told).toEqual(expect.arrayContaining(expected));
  expect(namesFailing(run)).toEqual([]);
});

test('a broken repository is polled last and with growing intervals of at most 10 minutes', async () => {
  const run = await withBroken();
  const asked: string[][] = [];
  for (let cycle = 0; cycle < 100; cycle += 1) {
    const sinceMs = run.nowMs;
    await run.poll();
    asked.push((await run.requests(sinceMs)).map(({ path }) => path).filter((path) => path.endsWith('/deployments')));
    run.clock.advance(30_000);
  }
  const cycles = asked.flatMap((paths, cycle) => (paths.includes('/repos/acme/a/deployments') ? [cycle] : []));
  expect(cycles).toEqual([0, 1, 2, 4, 8, 16, 32, 52, 72, 92]);
  expect(asked[1]?.at(-1)).toBe('/repos/acme/c/deployments');
});

test("open deployments of broken repositories don't delay other repositories", async () => {
  const run = await GithubRun.start(
    aSeed(...names.map((name, index) => aRepo(name, 1, { firstId: 1000 * (index + 1) }))),
  );
  for (const name of broken) {
    for (let count = 0; count < 4; count += 1) await run.deploy(name, { state: 'in_progress' });
  }
  const open = await run.deploy('acme/f', { state: 'in_progress' });
  await run.cycles();
  for (const name of broken) await breakDown(run, name);
  await run.move(open, 'success');
  await run.poll();
  expect(run.log.told.some((row) => row.startsWith(`gh-deploy-${open} success`))).toBe(true);
  expect(namesFailing(run)).toEqual(broken);
});

test('an open deployment that stays unreadable is listed as failing and polled with growing intervals', async () => {
  const run = await GithubRun.start(aSeed(aRepo('shop', 1), aRepo('docs', 1, { firstId: 5000 })));
  const id = await run.deploy('acme/shop', { state: 'in_progress' });
  await run.cycles();
  const path = `/repos/acme/shop/deployments/${id}/statuses`;
  await run.ci('/faults', { match: { path }, effect: { status: 500 }, for_ms: hourMs });
  const sinceMs = run.nowMs;
  await run.cycles(40);
  expect(run.source.figures(run.memory).failing).toEqual([
    { name: 'acme/shop', sinceMs, why: expect.stringMatching(/500$/) },
  ]);
  const asked = (await run.requests(sinceMs)).filter((request) => request.path === path);
  expect(asked.length).toBeLessThan(9);
  run.clock.advance(hourMs);
  await run.cycles(2);
  expect(namesFailing(run)).toEqual([]);
  expect(run.source.figures(run.memory).open).toBe(1);
});

test('a repository with a failing backfill is listed as failing while the backfill of others finishes', async () => {
  const run = await GithubRun.start(aSeed(aRepo('shop', 120), aRepo('docs', 1, { firstId: 5000 })));
  const match = { path: '/repos/acme/shop/deployments/10*/statuses' };
  await run.ci('/faults', { match, effect: { status: 500 }, for_ms: hourMs });
  await run.cycles(6);
  expect(namesFailing(run)).toEqual(['acme/shop']);
  expect(run.source.figures(run.memory).backfill).toEqual({ done: 1, left: 1 });
});

test('if the tool is unreachable, a cycle ends after a few requests, and no repository is listed as failing', async () => {
  const run = await GithubRun.start(
    aSeed(...names.map((name, index) => aRepo(name, 1, { firstId: 1000 * (index + 1) }))),
  );
  await run.cycles();
  await run.ci('/faults', { effect: { status: 503 }, for_ms: 10 * minuteMs });
  const sinceMs = run.nowMs;
  await expect(run.poll()).rejects.toThrow('503');
  expect((await run.requests(sinceMs)).length).toBeLessThan(6);
  expect(namesFailing(run)).toEqual([]);
});

test('the source fails if every repository fails', async () => {
  const run = await GithubRun.start(
    aSeed(...['a', 'b', 'c'].map((name, index) => aRepo(name, 1, { firstId: 1000 * (index + 1) }))),
  );
  for (const name of broken) await breakDown(run, name);
  await expect(run.poll()).rejects.toThrow('500');
  expect(namesFailing(run)).toEqual(broken);
});

test("three adjacent broken GitLab projects don't delay other projects or their backfill", async () => {
  const [usual] = aProject().deployments;
  if (!usual) throw new Error('the project has a deployment');
  const projects = names.map((name, index) => {
    const { pipeline, job, ...one } = { ...usual, id: 1000 * (index + 1) };
    return aProject({ id: index + 1, path: `acme/${name}`, pipelines: [], deployments: [one] });
  });
  const trial = await GitlabRun.start({ data: gitlabSeed({ repos: [], projects }), places: ['acme/**'] });
  for (const id of [1, 2, 3]) {
    const match = { path: `/api/v4/projects/${id}/**` };
    await trial.emulator.fault({ match, effect: { status: 500 }, for_ms: hourMs });
  }
  const source = await trial.first();
  expect(source.figures(trial.memory).failing.map(({ name }) => name)).toEqual(broken);
  expect((await trial.asked()).some((path) => path.startsWith('/api/v4/projects/6/deployments'))).toBe(true);
  expect(source.figures(trial.memory).backfill).toEqual({ done: 3, left: 3 });
});
