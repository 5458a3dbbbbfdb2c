import { groupings } from '../../board/groups.ts';
import { flag, partOf, type StateOf, texts, word } from '../address-part.ts';

export const boardPart = partOf({
  /** `undefined` = the default grouping, by teams or prefixes. */
  group: word('group', groupings),
  order: word('order', ['attention', 'name'], 'attention'),
  /** Folds healthy groups and services (`well`) or nothing; `undefined` = `well`, but `nothing` for a past board. */
  fold: word('fold', ['well', 'nothing']),
  /** The keys of groups that are open, folded, or open with all their services, regardless of `fold`. */
  opened: texts('open'),
  closed: texts('close'),
  whole: texts('whole'),
  /** Gives rarely used environments their own columns, too. */
  others: flag('others'),
});

export type BoardState = StateOf<typeof boardPart>;

/** A past board shows everything that ran, unless the viewer folds it. */
export function foldingOf({ fold }: BoardState, isPast: boolean): NonNullable<BoardState['fold']> {
  return fold ?? (isPast ? 'nothing' : 'well');
}
