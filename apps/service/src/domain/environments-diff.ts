import { type DiffRelation, diffRelations } from '@shiplog/contract';

/** The last success of one side; null where it has none. */
export interface LastSuccess {
  readonly deploymentId: string;
  /** As the log keeps it; null without version and sha. */
  readonly release: string | null;
}

/** What the log knows of two last successes of one service. */
export interface DiffFacts {
  readonly from: LastSuccess | null;
  readonly to: LastSuccess | null;
  /** Whether the release of `to` has succeeded in `from`, and the other way round. */
  readonly toWasInFrom: boolean;
  readonly fromWasInTo: boolean;
  /** Whether the first success of the release of `from`, in either of the two, came after that of `to`. */
  readonly fromCameLater: boolean;
}

/**
 * How `from` is to `to` (questions.md 8 and 12.8). Where both releases succeeded on the other side, the one that came
 * later is ahead, so that exchanging `from` and `to` exchanges `ahead` and `behind`.
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

/** How many there are of each. */
export function countRelations(found: readonly DiffRelation[]): Record<DiffRelation, number> {
  const counts = Object.fromEntries(diffRelations.map((relation) => [relation, 0])) as Record<DiffRelation, number>;
  for (const relation of found) counts[relation] += 1;
  return counts;
}
