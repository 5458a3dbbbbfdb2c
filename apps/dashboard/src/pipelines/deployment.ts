import type { DeploymentEvent } from '@shiplog/contract';
import { byTime, newestFirst } from '../board/board.ts';

/** The rows of one `deployment_id` in one slot: a node of the graph. */
export interface Deployment {
  readonly kind: 'deployment';
  /** A key that is unique among all nodes. */
  readonly key: string;
  /** The `deployment_id`, which deployments in other environments may share. */
  readonly id: string;
  readonly service: string;
  readonly environment: string;
  /** The rows, oldest first. Never empty. */
  readonly rows: readonly DeploymentEvent[];
  readonly latest: DeploymentEvent;
  /** The parents that any row names: later rows need not repeat them. */
  readonly parents: readonly string[];
}

/** Combines events into deployments, newest first. The events may be unordered and have duplicates. */
export function deploymentsOf(events: Iterable<DeploymentEvent>): Deployment[] {
  const groups = new Map<string, Map<string, DeploymentEvent>>();
  for (const event of events) {
    const key = JSON.stringify([event.service, event.deployment_id, event.environment]);
    const group = groups.get(key) ?? new Map();
    groups.set(key, group.set(event.id, event));
  }
  return [...groups]
    .flatMap(([key, group]) => deploymentOf(key, [...group.values()].sort(byTime)))
    .sort((left, right) => newestFirst(left.latest, right.latest));
}

function deploymentOf(key: string, rows: readonly DeploymentEvent[]): Deployment[] {
  const latest = rows.at(-1);
  if (!latest) return [];
  const { deployment_id: id, service, environment } = latest;
  const parents = [...new Set(rows.flatMap((row) => row.parent_deployments ?? []))];
  return [{ kind: 'deployment', key, id, service, environment, rows, latest, parents }];
}
