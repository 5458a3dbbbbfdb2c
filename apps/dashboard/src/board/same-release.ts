import type { Named } from './repository.ts';

export type ReleaseNames = Pick<Named, 'version' | 'sha'> & { readonly deployment_id?: string };

/** Whether two events have the same release: compares versions, else commits, else deployments (questions.md 8). */
export function sameRelease(one: ReleaseNames, other: ReleaseNames): boolean {
  return keyOf(one) === keyOf(other);
}

function keyOf({ version, sha, deployment_id }: ReleaseNames): string {
  if (version) return `version ${version}`;
  return sha ? `sha ${sha}` : `deployment ${deployment_id}`;
}
