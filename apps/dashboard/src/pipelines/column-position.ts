import type { History } from './history.ts';

/** Where the columns of the stages are, in pixels of the list. */
export interface ColumnPosition {
  readonly left: number;
  readonly step: number;
  /** The width of the list. */
  readonly list: number;
  /** The stages stand below the names. */
  readonly isNarrow: boolean;
}

/** Below this a deployment has no room for its words. */
const stepMinPx = 128;
/** The least room for what stands left of a graph. */
const leftMinPx = 240;

/** The place of the stages where a graph can stand under them: each has room, and the history has no other environment. */
export function positionUnder(
  place: ColumnPosition | undefined,
  columns: readonly string[],
  history: Pick<History, 'events'> | undefined,
): ColumnPosition | undefined {
  if (!place || place.isNarrow || place.step < stepMinPx) return undefined;
  const isUnder = [...(history?.events.values() ?? [])].every(({ environment }) => columns.includes(environment));
  return isUnder ? place : undefined;
}

/** The room left of a graph under the stages, in pixels, and of the column that a parent from before takes; `undefined` where it is too small. */
export function roomLeftOf(under: ColumnPosition | undefined): number | undefined {
  const room = under ? under.left - under.step : 0;
  return room < leftMinPx ? undefined : room;
}
