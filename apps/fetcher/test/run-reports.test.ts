import type { ComponentEventRecord } from '@shiplog/contract';
import { expect, test } from 'vitest';
import { smallRun } from './support/run.ts';

test('X-Progress-Reporter is dashboard-fetcher/<source id> whatever the component id', async () => {
  const run = await smallRun({ repos: 1, projects: 0, fetcher: { COMPONENT_ID: 'fetcher-of-acme' } });
  await run.startFetcher();
  await run.caughtUp();
  const reporters = (await run.log()).map(({ progress_reporter }) => progress_reporter);
  expect([...new Set(reporters)]).toEqual(['dashboard-fetcher/github-actions']);
});

test('§7.4: for a tool without rate-limit headers, the limits in the report are null and health has none', async () => {
  const run = await smallRun({ repos: 1, projects: 0, emulator: { GITHUB_SIM_RATE_LIMIT: '0' } });
  await run.startFetcher();
  await run.caughtUp();
  const answer = await fetch(`${run.serviceUrl}/api/control/events?event_type=rate-limit`);
  const { items } = (await answer.json()) as { items: ComponentEventRecord[] };
  const nulls = { ci_limit: null, ci_remaining: null, own_budget: null, own_used: null, reset_at: null };
  expect(items[0]?.payload).toEqual({ adapter: 'github-actions', ...nulls });
  expect((await run.health()).sources[0]?.rate_limit).toBeNull();
});
