import type { DeploymentEvent } from '@shiplog/contract';

/** Whether two events have the same release: compares versions, else commits, else deployments (questions.md 8). */
export function sameRelease(one: DeploymentEvent, other: DeploymentEvent): boolean {
  return keyOf(one) === keyOf(other);
}

function keyOf({ version, sha, deployment_id }: DeploymentEvent): string {
  if (version) return `version ${version}`;
  return sha ? `sha ${sha}` : `deployment ${deployment_id}`;
}
