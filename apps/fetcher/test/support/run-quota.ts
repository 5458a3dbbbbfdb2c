import type { CiRequest } from '@shiplog/companions';
import type { DeploymentEventIngest } from '@shiplog/contract';
import { expect } from 'vitest';
import { type Run, rowsOf, smallRun } from './run.ts';
import { hourMs } from './seeds.ts';

const listPath = /^\/repos\/[^/]+\/[^/]+\/deployments$/;

/** Requests for the deployment lists of GitHub repositories. */
function looksIn(requests: readonly CiRequest[]): CiRequest[] {
  return requests.filter(({ path, status }) => listPath.test(path) && (status === 200 || status === 304));
}

/** How many requests were charged in each window of an hour; a window begins with its first charged request. */
function chargedByWindow(requests: readonly CiRequest[]): number[] {
  const windows: { readonly beginsMs: number; charged: number }[] = [];
  for (const { at, charged } of requests) {
    if (!charged) continue;
    const last = windows.at(-1);
    if (last && Date.parse(at) < last.beginsMs + hourMs) last.charged += 1;
    else windows.push({ beginsMs: Date.parse(at), charged: 1 });
  }
  return windows.map(({ charged }) => charged);
}

/** The seconds since the least recent poll in the emulator's log; undefined until each repository was polled. */
function waitedSeconds(run: Run, requests: readonly CiRequest[], repos: number): number | undefined {
  const last = new Map(looksIn(requests).map(({ path, at }) => [path, Date.parse(at)]));
  return last.size < repos ? undefined : (run.clock.now().getTime() - Math.min(...last.values())) / 1000;
}

/** The newest event of each slot, as on the board: `service environment deployment status`. The last wins a tie. */
function boardOf(events: readonly DeploymentEventIngest[]): string[] {
  const newest = new Map<string, DeploymentEventIngest>();
  for (const event of events.toSorted((one, other) => Date.parse(one.happened_at) - Date.parse(other.happened_at))) {
    newest.set(`${event.service} ${event.environment}`, event);
  }
  return [...newest].map(([slot, { deployment_id, status }]) => `${slot} ${deployment_id} ${status}`).sort();
}

const percent = 30;
const deployments = 3;

interface QuotaTrial {
  readonly repos: number;
  /** The tool's limit of requests per hour, shared by all clients. */
  readonly quota: number;
  readonly intervalSeconds: number;
  readonly hours: number;
}

/** A first run whose quota isn't enough for all requests; returns the number of charged requests in each window. */
export async function expectQuotaKept({ repos, quota, intervalSeconds, hours }: QuotaTrial): Promise<number[]> {
  const run = await smallRun({
    ...{ repos, projects: 0, deployments },
    emulator: { GITHUB_SIM_RATE_LIMIT: String(quota) },
    fetcher: {
      POLL_INTERVAL_SECONDS: String(intervalSeconds),
      GITHUB_RATE_LIMIT_BUDGET_PCT: String(percent),
      CI_MAX_REQUESTS_PER_MINUTE: '300',
    },
  });
  const board = boardOf(await run.expected());
  await run.startFetcher();
  const begunMs = run.clock.now().getTime();
  let seenMs: number | undefined;
  let isBoardRight = false;
  while (run.clock.now().getTime() < begunMs + hours * hourMs) {
    await run.pass(intervalSeconds * 1000);
    const requests = await run.requests();
    const waited = waitedSeconds(run, requests, repos);
    const told = (await run.health()).sources[0]?.lag_seconds ?? null;
    // The reported lag begins before a poll waits for its turn in the minute, so it may exceed the actual one.
    if (told !== null) expect(waited).toBeLessThanOrEqual(told);
    if (waited !== undefined) seenMs ??= run.clock.now().getTime();
    if (isBoardRight) continue;
    isBoardRight = boardOf((await run.log()).reverse()).join() === board.join();
    // The first page of each list is enough for a correct board.
    if (isBoardRight) expect(looksIn(requests).filter(({ charged }) => charged)).toHaveLength(repos);
  }
  expect(seenMs).toBeLessThanOrEqual(begunMs + hourMs);
  expect(isBoardRight).toBe(true);
  const windows = chargedByWindow(await run.requests());
  expect(Math.max(...windows)).toBeLessThanOrEqual((quota * percent) / 100);
  expect(rowsOf(await run.log())).toEqual(rowsOf(await run.expected()));
  return windows;
}

interface QuietTrial extends Pick<QuotaTrial, 'repos' | 'intervalSeconds'> {
  readonly projects?: number;
}

/** An hour without changes; returns the number of charged requests. A 304 from GitLab is charged. */
export async function expectQuietHour({ repos, projects = 0, intervalSeconds }: QuietTrial) {
  const run = await smallRun({
    ...{ repos, projects, deployments: 1 },
    fetcher: { POLL_INTERVAL_SECONDS: String(intervalSeconds) },
  });
  await run.startFetcher();
  await run.caughtUp(intervalSeconds * 1000);
  const since = run.clock.now().toISOString();
  await run.pass(hourMs);
  const requests = await run.requests(`?since=${since}`);
  const charged = (tool: string) => requests.filter((one) => one.tool === tool && one.charged).length;
  expect(looksIn(requests).length).toBeGreaterThanOrEqual((repos * 3600) / intervalSeconds - repos);
  expect(charged('github')).toBeLessThanOrEqual(2);
  expect(rowsOf(await run.log())).toEqual(rowsOf(await run.expected()));
  return { github: charged('github'), gitlab: charged('gitlab') };
}
