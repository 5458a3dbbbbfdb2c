import type { DeploymentEvent, MatrixRow } from '@shiplog/contract';
import { isInFuture } from '@shiplog/text';
import { type Board, byTime, isEffective } from './board.ts';
import { memoizePerRow } from './memoize.ts';

/** A slot with a `current` dated in the future: until that time it stays current, whatever is reported. */
export interface FutureRow {
  /** The newer event that it hides. */
  readonly hidden: DeploymentEvent | undefined;
}

/** All such rows, by `slotKey`. */
export type FutureRows = ReadonlyMap<string, FutureRow>;

export const noFutureRows: FutureRows = new Map();

export interface SlotInFuture {
  readonly service: string;
  readonly environment: string;
  readonly current: DeploymentEvent;
}

const latestMsOf = memoizePerRow(({ slots }) =>
  Math.max(...Object.values(slots).map(({ current }) => Date.parse(current.happened_at))),
);

/** The slots of a board that are dated in the future. */
export function slotsInFuture(board: Board, nowMs: number): SlotInFuture[] {
  return [...board.rows.values()].flatMap((row) =>
    isInFuture(latestMsOf(row), nowMs) ? futureSlotsIn(row, nowMs) : [],
  );
}

function futureSlotsIn({ service, slots }: MatrixRow, nowMs: number): SlotInFuture[] {
  return Object.entries(slots).flatMap(([environment, { current }]) =>
    isInFuture(Date.parse(current.happened_at), nowMs) ? [{ service, environment, current }] : [],
  );
}

/**
 * The event that would be `current` without the one dated in the future: the latest of those received after it (by id);
 * events that start or end a deployment win over planned ones.
 */
export function hiddenBy(current: DeploymentEvent, events: readonly DeploymentEvent[]): DeploymentEvent | undefined {
  const later = events.filter((event) => event.id > current.id && byTime(event, current) < 0).sort(byTime);
  return later.filter(isEffective).at(-1) ?? later.at(-1);
}
