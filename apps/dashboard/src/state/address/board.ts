import { type Grouping, groupings } from '../../board/groups.ts';
import { type AddressPart, flagged } from '../address-part.ts';

const orders = ['attention', 'name'] as const;
const folds = ['well', 'nothing'] as const;
export type Folding = (typeof folds)[number];

/** The arrangement of the board. */
export interface BoardState {
  /** `undefined` = chosen by the size of the board. */
  readonly group: Grouping | undefined;
  /** What needs attention first, or by name. */
  readonly order: (typeof orders)[number];
  /** Whether healthy groups and services are folded to a line. `undefined` = folded, unless the board is a past one. */
  readonly fold: Folding | undefined;
  /** By `groupKey`: groups that are open, folded, or open with all their services, regardless of `fold`. */
  readonly opened: readonly string[];
  readonly closed: readonly string[];
  readonly whole: readonly string[];
  /** Environments that few services use have their own columns, too. */
  readonly others: boolean;
}

/** A past board shows everything that ran, unless the viewer folds it. */
export function foldingOf({ fold }: BoardState, isPast: boolean): Folding {
  return fold ?? (isPast ? 'nothing' : 'well');
}

export const boardPart: AddressPart<BoardState> = {
  home: { group: undefined, order: 'attention', fold: undefined, opened: [], closed: [], whole: [], others: false },
  read: (query) => ({
    group: query.word('group', groupings),
    order: query.word('order', orders) ?? 'attention',
    fold: query.word('fold', folds),
    opened: query.texts('open'),
    closed: query.texts('close'),
    whole: query.texts('whole'),
    others: query.flag('others'),
  }),
  write: ({ group, order, fold, opened, closed, whole, others }) => [
    ['group', group],
    ['order', order === 'attention' ? undefined : order],
    ['fold', fold],
    ['open', ...opened],
    ['close', ...closed],
    ['whole', ...whole],
    ['others', flagged(others)],
  ],
};
