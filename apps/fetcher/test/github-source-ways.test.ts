import { expect, test } from 'vitest';
import { aRepo, aSeed, dayMs, hourMs, minuteMs } from './support/seeds.ts';
import { GithubRun } from './support/source-run.ts';

test('a hint causes an immediate poll of one repository, including its open deployments', async () => {
  const run = await GithubRun.start(aSeed(aRepo('shop', 1), aRepo('docs', 1, { firstId: 5000 })));
  const open = await run.deploy('acme/shop', { state: 'in_progress' });
  await run.cycles();
  const hintedMs = run.nowMs;
  await run.move(open, 'success');
  await run.deploy('acme/shop', { environment: 'prod' });
  await run.poll(['Acme/Shop']);
  expect(run.log.told).toEqual(await run.expected());
  const paths = (await run.requests(hintedMs)).map(({ path }) => path);
  expect(paths.filter((path) => !path.startsWith('/repos/acme/shop/'))).toEqual([]);
});

test('a hint may name an unlisted repository but not an excluded one', async () => {
  const run = await GithubRun.start(aSeed(aRepo('shop', 1)), { places: ['acme/*', '!acme/secret'] });
  await run.cycles();
  await run.ci('/seed', { data: aSeed(aRepo('fresh', 2, { firstId: 7000 }), aRepo('secret', 1, { firstId: 8000 })) });
  await run.poll(['acme/fresh', 'acme/secret']);
  await run.backfill();
  const ids = new Set(run.log.told.map((row) => row.split(' ')[0]));
  expect(ids).toEqual(new Set(['gh-deploy-1000', 'gh-deploy-7000', 'gh-deploy-7001']));
});

test('a repository that is added to the list later is backfilled down to the horizon', async () => {
  const run = await GithubRun.start(aSeed(aRepo('shop', 1)), { times: { backfillMaxAgeMs: 3 * hourMs } });
  await run.cycles();
  const old = aRepo('old', 1, { firstId: 8000, ageMinutes: 180 });
  await run.ci('/seed', { data: aSeed(aRepo('fresh', 4, { firstId: 7000 }), old) });
  run.clock.advance(hourMs / 2);
  await run.cycles();
  expect(run.source.figures(run.memory).backfill).toBeNull();
  run.clock.advance(hourMs / 2);
  await run.poll();
  expect(run.source.figures(run.memory).backfill).toEqual({ done: 0, left: 2 });
  await run.backfill();
  expect(run.log.told).toEqual((await run.expected()).filter((row) => !row.includes('8000')));
});

test('deployments before the horizon are skipped', async () => {
  const run = await GithubRun.start(aSeed(aRepo('shop', 10, { ageMinutes: 1 })));
  run.memory = run.source.begin(new Date(run.nowMs - 5.5 * minuteMs));
  await run.cycles();
  const ids = new Set(run.log.told.map((row) => row.split(' ')[0]));
  expect([...ids].sort()).toEqual([1005, 1006, 1007, 1008, 1009].map((id) => `gh-deploy-${id}`));
});

test('a repeated backfill finds deployments that were missed', async () => {
  const run = await GithubRun.start(aSeed(aRepo('shop', 12, { ageMinutes: 1 })));
  run.memory = run.source.begin(new Date(run.nowMs - 5 * minuteMs));
  await run.cycles();
  expect(run.log.told).not.toEqual(await run.expected());
  run.restart(run.source.begin(new Date(run.nowMs - dayMs), run.memory));
  await run.cycles();
  expect(run.log.told).toEqual(await run.expected());
});

test('if a depth is set, only the newest events of each environment are read', async () => {
  const shop = aRepo('shop', 30);
  const deployments = shop.deployments.map((one, index) => (index < 2 ? { ...one, environment: 'lab' } : one));
  const run = await GithubRun.start(aSeed({ ...shop, deployments }), { times: { backfillDepth: 3 } });
  await run.cycles();
  const newest = (environment: string) => (row: string) => row.includes(environment);
  const taken = [...run.log.rows.values()].map(({ vars, id, status }) => `${vars.environment} ${id} ${status}`);
  // 1028 and 1026 belong to dev, 1029 and 1027 to prod; each has two events.
  expect(taken.filter(newest('dev')).sort()).toEqual([
    'dev gh-deploy-1026 success',
    'dev gh-deploy-1028 in-progress',
    'dev gh-deploy-1028 success',
  ]);
  expect([taken.filter(newest('prod')).length, taken.filter(newest('lab')).length]).toEqual([3, 3]);
});

test('if a start is set, only later statuses are reported, even of earlier deployments', async () => {
  const run = await GithubRun.start(aSeed(aRepo('shop', 3)));
  const open = await run.deploy('acme/shop', { state: 'in_progress' });
  run.clock.advance(dayMs);
  const at = new Date(run.nowMs);
  run.memory = run.source.startingAt(at);
  await run.cycles();
  expect(run.log.told).toEqual([]);
  await run.move(open, 'success');
  await run.deploy('acme/shop', { environment: 'prod' });
  run.restart();
  await run.cycles(2);
  const expected = (await run.expected()).filter((row) => Date.parse(row.split(' ')[2] ?? '') >= at.getTime());
  expect(expected.length).toBeGreaterThan(1);
  expect(run.log.told).toEqual(expected);
});

test('a memory of another shape counts as absent', async () => {
  const run = await GithubRun.start(aSeed(aRepo('shop', 3)));
  run.restart({ w: 'yesterday' });
  await run.cycles();
  expect(run.log.told).toEqual(await run.expected());
});

test('the figures include the backfill, open deployments and the oldest poll', async () => {
  const run = await GithubRun.start(aSeed(aRepo('shop', 2), aRepo('docs', 0)));
  await run.deploy('acme/shop', { state: 'waiting' });
  expect(run.source.figures(run.memory).oldestPollMs).toBeUndefined();
  const lookMs = run.nowMs;
  await run.poll();
  expect(run.source.figures(run.memory)).toEqual({
    ...{ open: 0, forbidden: [], failing: [], warnings: [], oldestPollMs: lookMs },
    backfill: { done: 1, left: 1 },
  });
  await run.backfill();
  expect(run.source.figures(run.memory)).toMatchObject({ open: 1, backfill: null });
});

test('excluded workflows produce no events', async () => {
  const settings = { GITHUB_WORKFLOW_EXCLUDE: 'demo-org/*/*' };
  const run = await GithubRun.start(aSeed(), { places: ['demo-org/payments-api'], settings });
  await run.ci('/seed', { dataset: 'demo' });
  await run.cycles();
  expect(run.log.told).toEqual([]);
});
