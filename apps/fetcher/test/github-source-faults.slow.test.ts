import { expect, test } from 'vitest';
import { AuthFailed, ToolAway } from '../src/tool/refusals.ts';
import { aRepo, aSeed, hourMs, minuteMs } from './support/seeds.ts';
import { GithubRun } from './support/source-run.ts';

const faultyMinutes = 10;

/** Creates and updates deployments while reads fail; then ends the fault. */
async function underFault(effect: object, more: object = {}): Promise<GithubRun> {
  const run = await GithubRun.start(aSeed(aRepo('shop', 6), aRepo('docs', 3, { firstId: 5000 })));
  await run.cycles();
  await run.ci('/faults', { match: { tool: 'github' }, effect, for_ms: faultyMinutes * minuteMs, ...more });
  const begun: number[] = [];
  for (let minute = 0; minute < faultyMinutes; minute += 2) {
    const id = await run.deploy(minute % 4 === 0 ? 'acme/shop' : 'acme/docs', { state: 'queued' });
    begun.push(id);
    await run.poll().catch(() => undefined);
    run.clock.advance(minuteMs);
    await run.move(id, 'in_progress');
    const [oldest] = begun;
    if (begun.length > 2 && oldest !== undefined) {
      await run.move(oldest, 'success');
      begun.shift();
    }
    await run.poll().catch(() => undefined);
    run.clock.advance(minuteMs);
  }
  await run.ci('/faults', undefined, 'DELETE');
  run.clock.advance(hourMs);
  await run.cycles(2);
  return run;
}

test.each([
  ['stale reads', { lag_ms: 45_000 }, { probability: 0.5 }],
  ['reads from a minute ago', { lag_ms: 60_000 }, {}],
  ['statuses in another order', { shuffle: true }, {}],
  ['a 502 for every third answer', { status: 502 }, { probability: 0.3 }],
  ['broken JSON', { garbage: true }, { probability: 0.3 }],
  ['no validators', { no_etag: true }, {}],
  ['a used-up quota', { exhausted: true }, { for_ms: minuteMs }],
  ['a secondary limit', { secondary: 60 }, { for_ms: minuteMs }],
])('eventually reports everything, despite %s', async (_, effect, more) => {
  const run = await underFault(effect, more);
  expect(run.log.told).toEqual(await run.expected());
});

test("a refused repository doesn't delay others and is retried within an hour", async () => {
  const run = await GithubRun.start(aSeed(aRepo('shop', 3), aRepo('docs', 3, { firstId: 5000 })));
  await run.ci('/repositories/acme/docs', { forbidden: true }, 'PATCH');
  await run.cycles(2);
  expect(run.source.figures(run.memory)).toMatchObject({ forbidden: ['acme/docs'], backfill: null });
  expect(run.log.told.length).toBeGreaterThan(0);
  await run.ci('/repositories/acme/docs', { forbidden: false }, 'PATCH');
  await run.cycles();
  expect(run.source.figures(run.memory).forbidden).toEqual(['acme/docs']);
  run.clock.advance(hourMs);
  await run.cycles();
  expect(run.source.figures(run.memory).forbidden).toEqual([]);
  expect(run.log.told).toEqual(await run.expected());
});

test('open deployments of a refused repository are not cancelled', async () => {
  const run = await GithubRun.start(aSeed(aRepo('shop', 1)));
  const id = await run.deploy('acme/shop', { state: 'in_progress' });
  await run.cycles();
  await run.ci('/repositories/acme/shop', { forbidden: true }, 'PATCH');
  await run.cycles(5);
  expect(run.source.figures(run.memory)).toMatchObject({ open: 1, forbidden: ['acme/shop'] });
  await run.ci('/repositories/acme/shop', { forbidden: false }, 'PATCH');
  run.clock.advance(hourMs);
  await run.move(id, 'success');
  await run.cycles(2);
  expect(run.log.told).toEqual(await run.expected());
});

test('an open deployment whose statuses are missing but which is still listed is not cancelled', async () => {
  const run = await GithubRun.start(aSeed(aRepo('shop', 1)));
  const id = await run.deploy('acme/shop', { state: 'in_progress' });
  await run.cycles();
  await run.ci('/faults', {
    match: { path: '/repos/acme/shop/deployments/*/statuses' },
    effect: { status: 404 },
    for_ms: hourMs,
  });
  await run.cycles(4);
  await run.ci('/faults', undefined, 'DELETE');
  await run.move(id, 'success');
  await run.cycles();
  expect(run.log.told).toEqual(await run.expected());
});

test("a deployment with unreadable statuses doesn't delay others", async () => {
  const run = await GithubRun.start(aSeed(aRepo('shop', 4)));
  await run.ci('/faults', {
    match: { path: '/repos/*/*/deployments/1002/statuses' },
    effect: { status: 500 },
    for_ms: hourMs,
  });
  await run.cycles(2);
  const expected = await run.expected();
  expect(run.log.told).toEqual(expected.filter((row) => !row.includes('1002')));
  run.clock.advance(hourMs);
  await run.cycles();
  expect(run.log.told).toEqual(expected);
});

test('an unreachable tool is reported to the caller', async () => {
  const run = await GithubRun.start(aSeed(aRepo('shop', 1)));
  await run.cycles();
  await run.ci('/faults', { effect: { status: 503 }, for_ms: hourMs });
  await expect(run.poll()).rejects.toThrow(ToolAway);
});

test('a rejected token is reported to the caller', async () => {
  const run = await GithubRun.start(aSeed(aRepo('shop', 1)), { emulator: { REQUIRE_TOKEN: 'another-token' } });
  await expect(run.poll()).rejects.toThrow(AuthFailed);
});

test('a moved repository is polled at its new address', async () => {
  const run = await GithubRun.start(aSeed(aRepo('shop', 2)), { places: ['acme/shop'] });
  await run.cycles();
  await run.ci('/repositories/acme/shop', { renamed_to: 'acme/store' }, 'PATCH');
  const id = await run.deploy('acme/store', { state: 'success' });
  await run.cycles(2);
  expect(run.log.told.some((row) => row.startsWith(`gh-deploy-${id} success`))).toBe(true);
});
