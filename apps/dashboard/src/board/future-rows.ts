import type { DeploymentEvent } from '@shiplog/contract';
import { isInFuture } from '@shiplog/text';
import { type Board, msOf, slotKey } from './board.ts';
import { type Facts, factsIn } from './facts.ts';
import { memoizePerRow } from './memoize.ts';

/** A slot whose `current` is dated in the future and stays current until that time. */
export interface FutureRow {
  /** The newer event that `current` hides. */
  readonly hidden: DeploymentEvent | undefined;
}

/** By `slotKey`. */
export type FutureRows = ReadonlyMap<string, FutureRow>;

export const noFutureRows: FutureRows = new Map();

const latestMsOf = memoizePerRow(({ slots }) => Math.max(...Object.values(slots).map(({ current }) => msOf(current))));

/** The slots that are dated in the future. Unchanged values are the same objects as before. */
export function futureRowsIn(board: Board, facts: Facts, nowMs: number, before: FutureRows): FutureRows {
  const after = new Map<string, FutureRow>();
  for (const row of board.rows.values()) {
    if (!isInFuture(latestMsOf(row), nowMs)) continue;
    for (const [environment, { current }] of Object.entries(row.slots)) {
      if (!isInFuture(msOf(current), nowMs)) continue;
      const key = slotKey(row.service, environment);
      const event = factsIn(facts, row.service, environment)?.hidden?.event;
      // The facts may be older than `current`, which hides only events that were received later.
      const hidden = event && event.id > current.id ? event : undefined;
      const known = before.get(key);
      after.set(key, known && known.hidden?.id === hidden?.id ? known : { hidden });
    }
  }
  const isSame = after.size === before.size && [...after].every(([key, ahead]) => before.get(key) === ahead);
  return isSame ? before : after;
}
