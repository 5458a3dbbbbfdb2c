import type { Queries } from '../database.ts';

/** The events of one step: ids from `from` (inclusive) to `to` (exclusive) are added. */
export interface FoldRange {
  readonly from: string;
  readonly to: string;
  /** Whether `removed_deployments` has events with ids below `from`, which the tables still include. */
  readonly hasRemovals: boolean;
}

/** A table, or several, that a step keeps equal to what follows from the events. */
export interface Fold {
  readonly tables: readonly string[];
  /** Changes the tables, in the transaction of the step. */
  readonly step: (queries: Queries, range: FoldRange) => Promise<void>;
}
