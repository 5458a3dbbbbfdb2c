import { clientOf } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { MortalRun } from './support/mortal.ts';
import { rowsOf } from './support/run.ts';

const positions = Array.from({ length: 100 }, (_, index) => index + 1);
const outcomes = ['success', 'failure', 'cancelled', 'rejected'] as const;

test('a fetcher that is killed 200 times, each time at the next request, reports everything once', {
  timeout: 1_800_000,
}, async () => {
  const run = await MortalRun.start();
  let kills = 0;
  let posts = 0;
  for (const position of positions) {
    for (const way of ['before', 'after'] as const) {
      const { method, path } = await run.dies({ at: (_, nth) => nth === position, way });
      kills += 1;
      posts += method === 'POST' && path === '/api/deployments' ? 1 : 0;
      if (kills % 5 === 0) await run.ci('/emit', { once: 1, outcome: outcomes[(kills / 5) % outcomes.length] });
    }
  }
  const life = run.live();
  await run.caughtUp(life);
  expect(await life.terminate()).toBe(0);
  const log = await run.log();
  expect(rowsOf(log)).toEqual(rowsOf(await run.expected()));
  process.stdout.write(`${kills} kills, ${posts} of them at posts; ${run.requests} requests, ${log.length} rows\n`);
});

test('a fetcher that is stopped during a backfill stores its progress, reports idle, and resumes later', async () => {
  const run = await MortalRun.start({ deployments: 8 });
  const first = run.live();
  await run.came(8, ({ method, path }) => method === 'POST' && path === '/api/deployments');
  const begun = performance.now();
  expect(await first.terminate()).toBe(0);
  expect(performance.now() - begun).toBeLessThan(10_000);
  const client = clientOf(run.serviceUrl);
  const { body: state } = await client.getFetcherState({ params: { adapter: 'github-actions' } });
  expect(JSON.parse(state.cursor)).toMatchObject({ v: 1, m: { b: expect.anything() } });
  const { body } = await client.listComponentEvents({ query: { component_id: 'dashboard-fetcher', limit: 1 } });
  expect(body.items).toMatchObject([{ event_type: 'status', state: 'idle' }]);
  const second = run.live();
  await run.caughtUp(second);
  expect(await second.terminate()).toBe(0);
  expect(rowsOf(await run.log())).toEqual(rowsOf(await run.expected()));
});
