import { expect, test } from 'vitest';
import type { Json } from '../src/change.ts';
import { SourcePaused } from '../src/tool/refusals.ts';
import { aRepo, aSeed, hourMs, minuteMs } from './support/seeds.ts';
import { GithubRun } from './support/source-run.ts';

const bytesMax = 1500;

function many(count: number, deployments: number) {
  const repos = Array.from({ length: count }, (_, index) =>
    aRepo(`service-${index}`, deployments, { firstId: 10_000_000_000 + index * 100, environments: ['prod'] }),
  );
  return aSeed(...repos);
}

test('repositories that were dropped from a memory are listed again from its instant on', async () => {
  const run = await GithubRun.start(many(80, 1));
  do await run.cycles();
  while (run.source.figures(run.memory).backfill);
  expect(run.log.told).toEqual(await run.expected());
  expect(JSON.stringify(run.memory).length).toBeGreaterThan(bytesMax);
  const open = await run.deploy('acme/service-0', { state: 'waiting' });
  await run.cycles();
  const fitted = run.source.fit(run.memory, bytesMax);
  expect(JSON.stringify(fitted).length).toBeLessThanOrEqual(bytesMax);
  expect(keysOf(fitted).length).toBeGreaterThan(50);
  const whileAway = await run.deploy('acme/service-1', { state: 'in_progress' });
  const atMs = run.nowMs;
  run.restart(fitted);
  await run.cycles();
  expect(run.log.told).toEqual(await run.expected());
  await run.move(open, 'success');
  await run.move(whileAway, 'success');
  await run.cycles();
  expect(run.log.told).toEqual(await run.expected());
  // Dropped repositories don't count as new: a backfill would have requested the statuses of each deployment.
  const asked = (await run.requests(atMs)).filter(({ path }) => path.endsWith('/statuses'));
  expect(asked.length).toBeLessThan(20);
});

test('a memory with dropped entries restarts the backfill where necessary', async () => {
  const run = await GithubRun.start(many(40, 2));
  await run.poll();
  await run.backfill(50);
  const fitted = run.source.fit(run.memory, 600);
  expect(JSON.stringify(fitted).length).toBeLessThanOrEqual(600);
  run.restart(fitted);
  await run.cycles(2);
  expect(run.log.told).toEqual(await run.expected());
});

test('500 repositories are all polled in the first window within the budget', async () => {
  const run = await GithubRun.start(many(500, 1), {
    settings: { GITHUB_RATE_LIMIT_BUDGET_PCT: '30' },
    requestsPerMinute: 300,
    emulator: { GITHUB_SIM_RATE_LIMIT: '1800' },
  });
  const beginMs = run.nowMs;
  const rested: unknown[] = [];
  while (run.nowMs < beginMs + hourMs) {
    await run.cycles().catch((error: unknown) => {
      rested.push(error);
      run.clock.advance(10 * 60_000);
    });
    if (run.source.figures(run.memory).oldestPollMs !== undefined) break;
  }
  expect(run.nowMs).toBeLessThan(beginMs + hourMs);
  expect(rested.every((error) => error instanceof SourcePaused)).toBe(true);
  const charged = (await run.requests()).filter((request) => request.charged);
  expect(charged.length).toBeLessThanOrEqual(540);
  expect(new Set(charged.map(({ path }) => path).filter((path) => path.endsWith('/deployments'))).size).toBe(500);
});

test('at a low request rate all repositories take turns, and the backfill gets a fifth of each minute', async () => {
  const run = await GithubRun.start(many(40, 3), { requestsPerMinute: 20 });
  // Polling each repository for the first time precedes the backfill.
  while (run.source.figures(run.memory).oldestPollMs === undefined) await run.cycles();
  const beginMs = run.nowMs;
  let past = 0;
  const hasItsFifth = () => past >= 4 * Math.floor((run.nowMs - beginMs) / minuteMs);
  while (run.source.figures(run.memory).backfill && hasItsFifth()) {
    await run.poll();
    // 40 polls at 16 a minute.
    expect(run.nowMs - (run.source.figures(run.memory).oldestPollMs ?? 0)).toBeLessThan(3 * minuteMs);
    const before = (await run.requests()).length;
    await run.backfill();
    past += (await run.requests()).length - before;
    run.clock.advance(minuteMs / 2);
  }
  expect(run.log.told).toEqual(await run.expected());
});

function keysOf(memory: Json): string[] {
  return Object.keys((memory as { r: object }).r);
}
