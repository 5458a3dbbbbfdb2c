import { expect, test } from 'vitest';
import { project, type Run, repository, rowsOf, smallRun } from './support/run.ts';

const cycleMs = 30_000;
const minuteMs = 60_000;
const pausing = { last_outcome: 'error', reachable: true, last_error: expect.stringContaining('Another fetcher') };

async function emit(run: Run): Promise<void> {
  for (const place of [repository, project]) await run.ci('/emit', { once: 1, repository: place });
}

async function doubles(run: Run): Promise<number> {
  const rows = rowsOf(await run.log());
  expect([...new Set(rows)]).toEqual(rowsOf(await run.expected()));
  return rows.length - new Set(rows).size;
}

async function pauses(run: Run): Promise<boolean> {
  return (await run.health()).sources.every(({ last_error }) => last_error?.startsWith('Another fetcher'));
}

test('the older of two fetchers on one source pauses, and resumes when the other falls silent', async () => {
  const run = await smallRun({ repos: 1 });
  // Keeps cycles away from the end of a quota window, where a starting process waits a moment.
  run.clock.advance(10_000);
  await run.startFetcher();
  await run.caughtUp();
  await run.pass(cycleMs - 1000);
  await emit(run);
  await run.quiet();
  // Both look for the same changes at the same time.
  run.clock.advance(1000);
  const other = await run.startAnother();
  await run.pass(2 * cycleMs);
  // If both poll and store within the same milliseconds, they notice each other one or several cycles later.
  for (let more = 0; more < 20 && !(await pauses(run)); more += 1) await run.pass(cycleMs);
  // The six statuses of that single cycle.
  expect(await doubles(run)).toBeLessThanOrEqual(6);
  const doubled = await doubles(run);
  expect((await run.health()).sources).toEqual([expect.objectContaining(pausing), expect.objectContaining(pausing)]);
  await emit(run);
  await run.pass(4 * cycleMs);
  expect(await doubles(run)).toBe(doubled);
  await other.stop();
  await emit(run);
  await run.pass(4 * minuteMs);
  expect((await run.health()).sources).toEqual([expect.objectContaining(pausing), expect.objectContaining(pausing)]);
  await run.pass(2 * minuteMs);
  expect((await run.health()).status).toBe('ok');
  expect(await doubles(run)).toBe(doubled);
});
