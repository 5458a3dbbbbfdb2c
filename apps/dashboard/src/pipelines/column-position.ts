import type { History } from './history.ts';

/** The position of the stage columns, in pixels within the list. */
export interface ColumnPosition {
  readonly left: number;
  readonly step: number;
  /** The width of the list. */
  readonly list: number;
  /** The stages are below the names. */
  readonly isNarrow: boolean;
}

/** A narrower deployment has no room for its text. */
const stepMinPx = 128;
/** The minimum space to the left of a graph. */
const leftMinPx = 240;

/**
 * The position of the stages if a graph fits below them: columns are wide enough, and all its environments are stages.
 */
export function positionUnder(
  place: ColumnPosition | undefined,
  columns: readonly string[],
  history: Pick<History, 'events'> | undefined,
): ColumnPosition | undefined {
  if (!place || place.isNarrow || place.step < stepMinPx) return undefined;
  const isUnder = [...(history?.events.values() ?? [])].every(({ environment }) => columns.includes(environment));
  return isUnder ? place : undefined;
}

/** The space left of a graph below the stages, and of the column for absent parents; `undefined` if it is too small. */
export function roomLeftOf(under: ColumnPosition | undefined): number | undefined {
  const room = under ? under.left - under.step : 0;
  return room < leftMinPx ? undefined : room;
}
