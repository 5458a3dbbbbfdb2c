import type { DeploymentEvent } from '@shiplog/contract';
import { byTime } from '../board/board.ts';

/**
 * In milliseconds: the run time of a finished deployment, or the wait until the next event; `undefined` if unknown.
 * `events` are all rows of the release, newest first.
 */
export function durationMs(event: DeploymentEvent, events: readonly DeploymentEvent[]): number | undefined {
  const same = events
    .filter((other) => other.deployment_id === event.deployment_id && other.environment === event.environment)
    .sort(byTime);
  const at = same.findIndex(({ id }) => id === event.id);
  if (event.status === 'in-progress') return undefined;
  if (isWait(event)) return between(event, same[at + 1]);
  const before = same.slice(0, at);
  return between(before.findLast(({ status }) => status === 'in-progress') ?? before[0], event);
}

function isWait({ status }: DeploymentEvent): boolean {
  return status === 'pending' || status === 'queued' || status === 'waiting';
}

function between(from: DeploymentEvent | undefined, to: DeploymentEvent | undefined): number | undefined {
  return from && to ? Date.parse(to.happened_at) - Date.parse(from.happened_at) : undefined;
}
