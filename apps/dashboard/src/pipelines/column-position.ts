import type { History } from './history.ts';

/** The position of the stage columns, in pixels within the list. */
export interface ColumnPosition {
  readonly left: number;
  readonly step: number;
  /** The width of the list. */
  readonly list: number;
  /** Whether the stages are below the names rather than next to them. */
  readonly isNarrow: boolean;
}

/** The minimum width of a column: the text of a deployment doesn't fit into a narrower one. */
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

/** The space to the left of a graph below the stages and of its absent parents; `undefined` if it is too small. */
export function roomLeftOf(under: ColumnPosition | undefined): number | undefined {
  const room = under ? under.left - under.step : 0;
  return room < leftMinPx ? undefined : room;
}
