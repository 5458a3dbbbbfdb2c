import { groupings } from '../../board/groups.ts';
import { flag, partOf, type StateOf, texts, word } from '../address-part.ts';

export const boardPart = partOf({
  /** `undefined` = chosen by the size of the board. */
  group: word('group', groupings),
  order: word('order', ['attention', 'name'], 'attention'),
  /** What is folded to a line: healthy groups and services, or nothing. `undefined` depends on the board. */
  fold: word('fold', ['well', 'nothing']),
  /** By `groupKey`: groups that are open, folded, or open with all their services, regardless of `fold`. */
  opened: texts('open'),
  closed: texts('close'),
  whole: texts('whole'),
  /** Environments that few services use have their own columns, too. */
  others: flag('others'),
});

export type BoardState = StateOf<typeof boardPart>;

/** A past board shows everything that ran, unless the viewer folds it. */
export function foldingOf({ fold }: BoardState, isPast: boolean): NonNullable<BoardState['fold']> {
  return fold ?? (isPast ? 'nothing' : 'well');
}
