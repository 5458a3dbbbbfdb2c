import type { DeploymentEvent, MatrixRow } from '@shiplog/contract';
import { isInFuture } from '@shiplog/text';
import type { Board } from './board.ts';
import { byTime } from './event-order.ts';
import { memoizePerRow } from './memoize.ts';
import { isEffective } from './slot.ts';

/** What is known of a slot whose `current` is dated ahead: until that date it stays current, whatever is reported. */
export interface FutureRow {
  /** A newer report that it hides. */
  readonly hidden: DeploymentEvent | undefined;
}

/** All such slots, by `slotKey`. */
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

/** The slots of a board that are dated ahead of a time. */
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
 * The report that would be `current` if that were not dated ahead: the latest by time of what was
 * received after it (ids are in that order), and what has begun or ended before what is only planned.
 */
export function hiddenBy(current: DeploymentEvent, events: readonly DeploymentEvent[]): DeploymentEvent | undefined {
  const later = events.filter((event) => event.id > current.id && byTime(event, current) < 0).sort(byTime);
  return later.filter(isEffective).at(-1) ?? later.at(-1);
}
