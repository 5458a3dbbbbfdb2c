import { groupings } from '../../board/groups.ts';
import { partOf, type StateOf, texts, word } from '../address-part.ts';

export const boardPart = partOf({
  /** `wall` is for an unattended display: no controls, large type. */
  layout: word('layout', ['grid', 'progress', 'wall'], 'grid'),
  /** `undefined` = the default grouping, by teams or prefixes. */
  group: word('group', groupings),
  order: word('order', ['attention', 'name'], 'attention'),
  /** Folds healthy groups and services (`well`) or nothing; `undefined` = `well`, but `nothing` for a past board. */
  fold: word('fold', ['well', 'nothing']),
  /** The keys of groups that are open, folded, or open with all their services, regardless of `fold`. */
  opened: texts('open'),
  closed: texts('close'),
  whole: texts('whole'),
  /** Folds stages whose environments agree, or none; `undefined` = `agreeing` on a board with many environments. */
  stages: word('stages', ['agreeing', 'none']),
  /** The stages with a column for each environment, and those with one column, regardless of `stages`. */
  wide: texts('wide'),
  narrow: texts('narrow'),
});

export type BoardState = StateOf<typeof boardPart>;

/** A past board shows everything that ran, unless the viewer folds it. */
export function foldingOf({ fold }: BoardState, isPast: boolean): NonNullable<BoardState['fold']> {
  return fold ?? (isPast ? 'nothing' : 'well');
}

/** More environments than this don't fit next to each other. */
const environmentsMax = 8;

export function foldsStages({ stages }: Pick<BoardState, 'stages'>, environments: number): boolean {
  return stages === undefined ? environments > environmentsMax : stages === 'agreeing';
}
