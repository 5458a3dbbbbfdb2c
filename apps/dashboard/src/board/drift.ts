import type { DeploymentEvent, DiffRelation, MatrixRow } from '@shiplog/contract';
import { pluralize } from '@shiplog/text';
import { slotStateIn } from './board.ts';
import { stageRank } from './columns.ts';
import { isSlot } from './slot.ts';

/** How the release of a slot is to that of the stage before it, by the last successes of both (questions.md 8). */
export interface Drift {
  /** `ahead`: the stage before runs what this one had earlier. `apart`: neither had the other's. */
  readonly kind: 'behind' | 'ahead' | 'apart';
  /** Beside `behind`: how many releases. */
  readonly count: number | undefined;
  /** The stage before. */
  readonly before: string;
  /** The successes that were compared, by their ids. */
  readonly compared: Compared;
}

/** The last success of the stage before and that of the slot, by their ids; `undefined` = there is none. */
export type Compared = readonly [before: string | undefined, slot: string | undefined];

/** The drifts of a service, by environment. */
export type RowDrifts = ReadonlyMap<string, Drift>;
/** By service; those without any are left out. */
export type Drifts = ReadonlyMap<string, RowDrifts>;
/** While nothing was asked for: not even that there are none is known. */
export const noDrifts: Drifts = new Map();

/** A stage and the one before it on the ladder. */
export type Neighbours = readonly [before: string, environment: string];

/** Every environment of a board that is on the ladder, with the one before it. */
export function neighboursOf(environments: readonly string[], promotionOrder: readonly string[]): Neighbours[] {
  const rank = stageRank(promotionOrder, -1);
  const stages = environments.filter((name) => rank(name) >= 0).sort((one, other) => rank(one) - rank(other));
  return stages.flatMap((environment): Neighbours[] => {
    const before = stages.findLast((name) => rank(name) < rank(environment));
    return before === undefined ? [] : [[before, environment]];
  });
}

/** The last success of a slot. */
export function lastSuccessIn(row: MatrixRow, environment: string): DeploymentEvent | undefined {
  const slotState = slotStateIn(row, environment);
  if (!slotState || !isSlot(slotState)) return undefined;
  return slotState.current.status === 'success' ? slotState.current : slotState.last_successful;
}

/** What there is to compare now. */
export function comparedIn(row: MatrixRow, [before, environment]: Neighbours): Compared {
  return [lastSuccessIn(row, before)?.id, lastSuccessIn(row, environment)?.id];
}

export function isSame([one, slot]: Compared, [other, otherSlot]: Compared): boolean {
  return one === other && slot === otherSlot;
}

/** The drift of a slot; `undefined` as well where something has succeeded since it was compared. */
export function driftIn(row: MatrixRow, environment: string, drifts: RowDrifts | undefined): Drift | undefined {
  const drift = drifts?.get(environment);
  return drift && isSame(comparedIn(row, [drift.before, environment]), drift.compared) ? drift : undefined;
}

/** What an answer of the service says of a slot. */
export function driftFromDiff(
  relation: DiffRelation,
  behind: number | null,
  before: string,
  compared: Compared,
): Drift | undefined {
  if (relation === 'ahead') return { kind: 'behind', count: behind ?? 1, before, compared };
  if (relation === 'behind') return { kind: 'ahead', count: undefined, before, compared };
  return relation === 'diverged' ? { kind: 'apart', count: undefined, before, compared } : undefined;
}

/** "2 behind", "ahead", "apart". */
export function driftLabel({ kind, count }: Drift): string {
  return kind === 'behind' ? `${count} behind` : kind;
}

/** The same for a sentence: "2 releases behind staging". */
export function driftWords({ kind, count = 0, before }: Drift): string {
  if (kind === 'behind') return `${pluralize(count, 'release')} behind ${before}`;
  return kind === 'ahead' ? `ahead of ${before}` : `apart from ${before}: neither had the other's release`;
}
