import { type DeploymentEvent, instantKey } from '@shiplog/contract';
import { versionOf } from '@shiplog/text';

export type BadgeState = 'succeeded' | 'failed' | 'running' | 'called off' | 'waits' | 'not deployed';

/** A summary of a slot's status; `version` is `undefined` if nothing is deployed or waiting. */
export interface BadgeStatus {
  readonly state: BadgeState;
  readonly version: string | undefined;
}

const states = { success: 'succeeded', failure: 'failed', 'in-progress': 'running' } as const;

/**
 * The status of a slot, computed from the latest event of each status, newest first. It matches the slot's box on the
 * board. A deployment that was cancelled or rejected while running is "called off"; one that has not started "waits".
 */
export function badgeStatusOf(latest: readonly DeploymentEvent[]): BadgeStatus {
  const current = latest.find(({ status }) => Object.hasOwn(states, status));
  const next = latest.find(({ status }) => !Object.hasOwn(states, status));
  if (!current) {
    const waits = next !== undefined && !isEnd(next);
    return waits ? { state: 'waits', version: versionOf(next) } : { state: 'not deployed', version: undefined };
  }
  const isCalledOff =
    current.status === 'in-progress' &&
    next !== undefined &&
    isEnd(next) &&
    next.deployment_id === current.deployment_id &&
    instantKey(next.happened_at) > instantKey(current.happened_at);
  const state = isCalledOff ? 'called off' : states[current.status as keyof typeof states];
  return { state, version: versionOf(current) };
}

function isEnd({ status }: DeploymentEvent): boolean {
  return status === 'cancelled' || status === 'rejected';
}
