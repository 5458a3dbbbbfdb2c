import type { DeploymentEvent, DiffRelation, MatrixRow } from '@shiplog/contract';
import { pluralize } from '@shiplog/text';
import { isSlot, slotStateIn } from './board.ts';
import { stageRank, stagesOf } from './columns.ts';

/** How the last success of a slot compares with the last success of the previous stage (questions.md 8). */
export interface Drift {
  /** `ahead`: the previous stage runs a release that this slot had before. `apart`: neither had the other's release. */
  readonly kind: 'behind' | 'ahead' | 'apart';
  readonly releasesBehind: number | undefined;
  readonly before: string;
  /** The ids of the successes that were compared. */
  readonly compared: Compared;
}

/** The ids of the last success of the previous stage and of the slot; `undefined` = no success. */
export type Compared = readonly [before: string | undefined, slot: string | undefined];

export type RowDrifts = ReadonlyMap<string, Drift>;
/** The drifts by service. Only services with drift have an entry. */
export type Drifts = ReadonlyMap<string, RowDrifts>;
/** The value before the first response: drift is unknown, not absent. */
export const noDrifts: Drifts = new Map();

/** A stage and the previous stage in the promotion order. */
export type Neighbours = readonly [before: string, environment: string];

export function neighboursOf(environments: readonly string[], promotionOrder: readonly string[]): Neighbours[] {
  const rank = stageRank(promotionOrder, -1);
  const stages = stagesOf(environments, promotionOrder);
  return stages.flatMap((environment): Neighbours[] => {
    const before = stages.findLast((name) => rank(name) < rank(environment));
    return before === undefined ? [] : [[before, environment]];
  });
}

export function lastSuccessIn(row: MatrixRow, environment: string): DeploymentEvent | undefined {
  const slotState = slotStateIn(row, environment);
  if (!slotState || !isSlot(slotState)) return undefined;
  return slotState.current.status === 'success' ? slotState.current : slotState.last_successful;
}

export function comparedIn(row: MatrixRow, [before, environment]: Neighbours): Compared {
  return [lastSuccessIn(row, before)?.id, lastSuccessIn(row, environment)?.id];
}

export function isSame([one, slot]: Compared, [other, otherSlot]: Compared): boolean {
  return one === other && slot === otherSlot;
}

/** The drift of a slot; `undefined` if there is no drift, or if either stage has had a success since the comparison. */
export function driftIn(row: MatrixRow, environment: string, drifts: RowDrifts | undefined): Drift | undefined {
  const drift = drifts?.get(environment);
  return drift && isSame(comparedIn(row, [drift.before, environment]), drift.compared) ? drift : undefined;
}

/** The service compares the previous stage to the slot; a drift compares the slot to that stage, so the kinds swap. */
const kinds: Partial<Record<DiffRelation, Drift['kind']>> = { ahead: 'behind', behind: 'ahead', diverged: 'apart' };

/** The drift according to the service's comparison; `undefined` = no drift. */
export function driftFromDiff(
  relation: DiffRelation,
  releaseCount: number | null,
  before: string,
  compared: Compared,
): Drift | undefined {
  const kind = kinds[relation];
  return kind && { kind, releasesBehind: kind === 'behind' ? (releaseCount ?? 1) : undefined, before, compared };
}

/** "2 behind", "ahead", "apart". */
export function driftLabel({ kind, releasesBehind }: Drift): string {
  return kind === 'behind' ? `${releasesBehind} behind` : kind;
}

/** For a sentence: "2 releases behind staging". */
export function driftWords({ kind, releasesBehind = 0, before }: Drift): string {
  if (kind === 'behind') return `${pluralize(releasesBehind, 'release')} behind ${before}`;
  return kind === 'ahead' ? `ahead of ${before}` : `apart from ${before}: neither had the other's release`;
}
