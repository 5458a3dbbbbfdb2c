import type { MatrixRow } from '@shiplog/contract';
import type { AheadSlots } from './ahead.ts';
import { type Box, boxIn, isCalledOff } from './box.ts';
import { driftIn } from './drift.ts';
import { keptLast } from './kept-last.ts';
import { perRow } from './per-row.ts';
import type { Surroundings } from './surroundings.ts';

const farBehind = 3;
const longAgoMs = 24 * 3_600_000;

/**
 * Whether nobody has to look at a service in these columns: all has succeeded, or was called off over a day ago, nothing
 * runs, waits or is dated ahead, and it is less than three releases behind. An environment in which it never was is well.
 */
export function isWell(
  row: MatrixRow,
  columns: readonly string[],
  { aheadSlots, drifts }: Pick<Surroundings, 'aheadSlots' | 'drifts'>,
  nowMs: number,
): boolean {
  if (wellFromIn(columns, aheadSlots)(row) > nowMs) return false;
  const ofRow = drifts.get(row.service);
  return !ofRow || columns.every((environment) => (driftIn(row, environment, ofRow)?.count ?? 0) < farBehind);
}

/** From when on a row is well, in ms since the epoch, if nothing happens to it. */
const wellFromIn = keptLast((columns: readonly string[], aheadSlots: AheadSlots) =>
  perRow((row) =>
    columns.reduce((latest, environment) => {
      const box = boxIn(row, environment, aheadSlots);
      return box ? Math.max(latest, wellFrom(box)) : latest;
    }, Number.NEGATIVE_INFINITY),
  ),
);

function wellFrom({ tone, latest, next, isAhead }: Box): number {
  const isUnsettled = isAhead || tone === 'bad' || tone === 'run' || tone === 'wait';
  const end = next ?? (tone === 'off' ? latest : undefined);
  if (isUnsettled || (end && !isCalledOff(end))) return Number.POSITIVE_INFINITY;
  return end ? Date.parse(end.happened_at) + longAgoMs : Number.NEGATIVE_INFINITY;
}
