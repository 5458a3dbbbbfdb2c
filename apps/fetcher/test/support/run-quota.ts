import type { CiRequest } from '@shiplog/companions';
import type { DeploymentEventIngest } from '@shiplog/contract';
import { hourMs } from './github-source.ts';
import type { Run } from './run.ts';

const listPath = /^\/repos\/[^/]+\/[^/]+\/deployments$/;

/** Requests for the deployment lists of GitHub repositories. */
export function looksIn(requests: readonly CiRequest[]): CiRequest[] {
  return requests.filter(({ path, status }) => listPath.test(path) && (status === 200 || status === 304));
}

/** The number of counted requests in each window of an hour. A window begins with its first counted request. */
export function chargedByWindow(requests: readonly CiRequest[]): number[] {
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
export function waitedSeconds(run: Run, requests: readonly CiRequest[], repos: number): number | undefined {
  const last = new Map(looksIn(requests).map(({ path, at }) => [path, Date.parse(at)]));
  return last.size < repos ? undefined : (run.clock.now().getTime() - Math.min(...last.values())) / 1000;
}

/** The newest event of each slot, as on the board: `service environment deployment status`. The last wins a tie. */
export function boardOf(events: readonly DeploymentEventIngest[]): string[] {
  const newest = new Map<string, DeploymentEventIngest>();
  for (const event of events.toSorted((one, other) => Date.parse(one.happened_at) - Date.parse(other.happened_at))) {
    newest.set(`${event.service} ${event.environment}`, event);
  }
  return [...newest].map(([slot, { deployment_id, status }]) => `${slot} ${deployment_id} ${status}`).sort();
}
