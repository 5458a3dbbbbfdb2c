import { type DiffRelation, diffRelations } from '@shiplog/contract';

interface LastSuccess {
  readonly deploymentId: string;
  /** As stored; null if there is neither a version nor a sha. */
  readonly release: string | null;
}

/** A service's last successes in two environments; null if it has none. */
export interface DiffFacts {
  readonly from: LastSuccess | null;
  readonly to: LastSuccess | null;
  /** Whether the release of `to` has succeeded in `from`, and vice versa. */
  readonly toWasInFrom: boolean;
  readonly fromWasInTo: boolean;
  /** Whether the first success of `from`'s release in either environment was after that of `to`'s release. */
  readonly fromCameLater: boolean;
}

/**
 * How `from` relates to `to` (questions.md 8 and 12.8). If both releases have succeeded on the other side, the later
 * release is ahead. So swapping `from` and `to` swaps `ahead` and `behind`.
 */
export function relationOf({ from, to, toWasInFrom, fromWasInTo, fromCameLater }: DiffFacts): DiffRelation {
  if (!to) return 'only-from';
  if (!from) return 'only-to';
  if (from.release === null || to.release === null) {
    return from.deploymentId === to.deploymentId ? 'same' : 'diverged';
  }
  if (from.release === to.release) return 'same';
  if (!toWasInFrom && !fromWasInTo) return 'diverged';
  const isAhead = toWasInFrom && fromWasInTo ? fromCameLater : toWasInFrom;
  return isAhead ? 'ahead' : 'behind';
}

export function countRelations(found: readonly DiffRelation[]): Record<DiffRelation, number> {
  const counts = Object.fromEntries(diffRelations.map((relation) => [relation, 0])) as Record<DiffRelation, number>;
  for (const relation of found) counts[relation] += 1;
  return counts;
}
