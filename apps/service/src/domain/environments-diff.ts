import { type DiffRelation, diffRelations } from '@shiplog/contract';

interface LastSuccess {
  readonly deploymentId: string;
  /** As stored; null if there is neither a version nor a sha. */
  readonly release: string | null;
}

/** A service's last successes on two sides, each an environment or a stage; null if it has none. */
export interface DiffFacts {
  readonly from: LastSuccess | null;
  readonly to: LastSuccess | null;
  /** Whether either release has succeeded on the other side. */
  readonly isShared: boolean;
  /** If so: whether `from` has the later release. */
  readonly isFromLater: boolean;
}

/** How `from` relates to `to` (questions.md 8 and 12.8). Swapping `from` and `to` swaps `ahead` and `behind`. */
export function relationOf({ from, to, isShared, isFromLater }: DiffFacts): DiffRelation {
  if (!to) return 'only-from';
  if (!from) return 'only-to';
  if (from.release === null || to.release === null) {
    return from.deploymentId === to.deploymentId ? 'same' : 'diverged';
  }
  if (from.release === to.release) return 'same';
  if (!isShared) return 'diverged';
  return isFromLater ? 'ahead' : 'behind';
}

export function countRelations(found: readonly DiffRelation[]): Record<DiffRelation, number> {
  const counts = Object.fromEntries(diffRelations.map((relation) => [relation, 0])) as Record<DiffRelation, number>;
  for (const relation of found) counts[relation] += 1;
  return counts;
}
