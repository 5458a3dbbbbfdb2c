import type { DeploymentEvent } from '@shiplog/contract';
import { isInFuture } from '@shiplog/text';
import { type Board, byTime, isEffective } from './board.ts';
import { memoizePerRow } from './memoize.ts';

/** A slot whose `current` is dated in the future and stays current until that time. */
export interface FutureRow {
  /** The newer event that `current` hides. */
  readonly hidden: DeploymentEvent | undefined;
}

/** By `slotKey`. */
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

export function slotsInFuture(board: Board, nowMs: number): SlotInFuture[] {
  return [...board.rows.values()].flatMap((row) =>
    isInFuture(latestMsOf(row), nowMs)
      ? Object.entries(row.slots).flatMap(([environment, { current }]) =>
          isInFuture(Date.parse(current.happened_at), nowMs) ? [{ service: row.service, environment, current }] : [],
        )
      : [],
  );
}

/** The event that `current` hides: the latest one received after it (by id), preferably a start or end. */
export function hiddenBy(current: DeploymentEvent, events: readonly DeploymentEvent[]): DeploymentEvent | undefined {
  const later = events.filter((event) => event.id > current.id && byTime(event, current) < 0).sort(byTime);
  return later.filter(isEffective).at(-1) ?? later.at(-1);
}
