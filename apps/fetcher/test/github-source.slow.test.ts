import { expect, test } from 'vitest';
import { aRepo, aSeed, dayMs, hourMs, minuteMs } from './support/seeds.ts';
import { GithubRun } from './support/source-run.ts';

test('everything in the tool is reported page by page, and so are later events', async () => {
  const run = await GithubRun.start(aSeed(aRepo('shop', 130), aRepo('docs', 3, { firstId: 5000 }), aRepo('empty', 0)));
  await run.cycles(2);
  expect(run.log.told).toEqual(await run.expected());
  expect(run.source.figures(run.memory).backfill).toBeNull();
  const id = await run.deploy('acme/empty');
  await run.cycles();
  await run.move(id, 'in_progress');
  await run.move(await run.deploy('acme/shop'), 'success');
  await run.cycles();
  expect(run.log.told).toEqual(await run.expected());
});

test('all deployments of the demo are reported', async () => {
  const run = await GithubRun.start(aSeed(), { places: ['demo-org/*'] });
  await run.ci('/seed', { dataset: 'demo' });
  await run.cycles(2);
  const expected = (await run.expected()).filter((row) => row.startsWith('gh-'));
  expect(run.log.told).toEqual(expected);
});

test('the newest deployment of each environment is reported first', async () => {
  const run = await GithubRun.start(aSeed(aRepo('shop', 20), aRepo('docs', 20, { firstId: 5000 })));
  await run.poll();
  await run.backfill(2);
  const newest = ['gh-deploy-1018', 'gh-deploy-1019', 'gh-deploy-5018', 'gh-deploy-5019'];
  expect(new Set(run.log.told.map((row) => row.split(' ')[0]))).toEqual(new Set(newest));
});

test('a process killed after any step continues without a gap', async () => {
  const run = await GithubRun.start(aSeed(aRepo('shop', 22), aRepo('docs', 5, { firstId: 5000 })));
  await run.cycles();
  await run.deploy('acme/shop');
  await run.move(await run.deploy('acme/docs'), 'success');
  await run.cycles();
  // More deployments than one step can contain.
  for (let count = 0; count < 12; count += 1) await run.deploy('acme/docs');
  run.clock.advance(20 * minuteMs);
  await run.cycles();
  const expected = await run.expected();
  const steps = [...run.steps];
  expect(steps.length).toBeGreaterThan(8);
  for (const { memory, rows } of steps) {
    run.restart(memory, rows);
    await run.cycles();
    expect(run.log.told).toEqual(expected);
  }
});

test('changes that were not stored are reported again', async () => {
  const run = await GithubRun.start(aSeed(aRepo('shop', 12)));
  await run.cycles();
  const { memory, rows } = run.steps.at(-1) ?? { memory: run.memory, rows: [] };
  await run.deploy('acme/shop');
  await run.poll();
  // The same process, with its earlier memory and log.
  run.memory = memory;
  run.log.forget(rows);
  await run.cycles();
  expect(run.log.told).toEqual(await run.expected());
});

test('a second status in the same second as the end is reported', async () => {
  const run = await GithubRun.start(aSeed(aRepo('shop', 1)));
  const id = await run.deploy('acme/shop', { state: 'success' });
  await run.poll();
  await run.backfill();
  await run.poll();
  await run.move(id, 'failure');
  await run.cycles(2);
  expect(run.log.told).toEqual(await run.expected());
});

test('an hour without changes needs hardly any requests', async () => {
  const repos = Array.from({ length: 100 }, (_, index) => aRepo(`r${index}`, 2, { firstId: 1000 + index * 10 }));
  const run = await GithubRun.start(aSeed(...repos));
  await run.cycles(3);
  expect(run.log.told).toEqual(await run.expected());
  const quietMs = run.nowMs;
  await run.cycles(13, 5 * minuteMs);
  const requests = await run.requests(quietMs);
  expect(requests.length).toBeGreaterThan(1200);
  expect(requests.filter(({ charged }) => charged).length).toBeLessThanOrEqual(2);
});

test('a deployment that waited 29 days for an approval is reported', async () => {
  const run = await GithubRun.start(aSeed(aRepo('shop', 1)));
  await run.cycles();
  const id = await run.deploy('acme/shop', { environment: 'prod', state: 'waiting' });
  await run.cycles();
  await run.cycles(29, dayMs);
  run.restart();
  await run.cycles();
  await run.move(id, 'in_progress');
  await run.move(id, 'success');
  await run.cycles();
  expect(run.log.told).toEqual(await run.expected());
  await run.cycles(2, 15 * minuteMs);
  expect(run.source.figures(run.memory).open).toBe(0);
});

test('a deployment that is open for longer than WATCH_MAX_AGE is not followed', async () => {
  const run = await GithubRun.start(aSeed(aRepo('shop', 1)), { times: { watchMaxAgeMs: dayMs } });
  await run.deploy('acme/shop', { state: 'waiting' });
  await run.cycles();
  expect(run.source.figures(run.memory).open).toBe(1);
  run.clock.advance(dayMs);
  await run.cycles(2);
  expect(run.source.figures(run.memory).open).toBe(0);
});

test('a deployment that ended long ago is reported again when it continues', async () => {
  const run = await GithubRun.start(aSeed(aRepo('shop', 3)));
  await run.cycles();
  await run.cycles(2, hourMs);
  await run.move(1001, 'inactive');
  await run.move(1001, 'in_progress');
  await run.cycles();
  expect(run.log.told).toEqual(await run.expected());
  await run.move(1001, 'success');
  await run.cycles(2, hourMs);
  expect(run.source.figures(run.memory).open).toBe(0);
  await run.move(1001, 'failure');
  run.restart();
  await run.cycles();
  expect(run.log.told).toEqual(await run.expected());
});

test('a deleted deployment is cancelled at the second poll, and only once', async () => {
  const run = await GithubRun.start(aSeed(aRepo('shop', 1)));
  const id = await run.deploy('acme/shop', { state: 'in_progress' });
  await run.cycles();
  await run.ci(`/deployments/${id}`, undefined, 'DELETE');
  await run.cycles();
  const isCancelled = (row: string) => row.startsWith(`gh-deploy-${id} cancelled`);
  expect(run.log.told.filter(isCancelled)).toEqual([]);
  const atMs = run.nowMs;
  await run.cycles(3);
  expect(run.log.told.filter(isCancelled)).toEqual([`gh-deploy-${id} cancelled ${new Date(atMs).toISOString()}`]);
  expect(run.source.figures(run.memory).open).toBe(0);
});

test.each(['success', 'failure'])('a deployment that is deleted after %s is not cancelled', async (state) => {
  const run = await GithubRun.start(aSeed(aRepo('shop', 1)));
  const id = await run.deploy('acme/shop', { state });
  await run.cycles();
  await run.ci(`/deployments/${id}`, undefined, 'DELETE');
  await run.cycles(3);
  expect(run.log.told.filter((row) => row.includes('cancelled'))).toEqual([]);
  expect(run.source.figures(run.memory).open).toBe(0);
});

test('a deployment superseded while in progress is cancelled', async () => {
  const run = await GithubRun.start(aSeed(aRepo('shop', 1)));
  const id = await run.deploy('acme/shop', { state: 'in_progress' });
  await run.cycles();
  await run.move(id, 'inactive');
  await run.cycles();
  const expected = await run.expected();
  expect(expected.some((row) => row.startsWith(`gh-deploy-${id} cancelled`))).toBe(true);
  expect(run.log.told).toEqual(expected);
});
