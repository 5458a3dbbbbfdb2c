import { type Grouping, groupings } from '../../board/groups.ts';
import { type AddressPart, flagged } from '../address-part.ts';

const orders = ['attention', 'name'] as const;
const folds = ['well', 'nothing'] as const;
export type Folding = (typeof folds)[number];

/** How the board is arranged. */
export interface BoardState {
  /** `undefined` = as suits the board. */
  readonly group: Grouping | undefined;
  /** What needs somebody first, or all by name. */
  readonly order: (typeof orders)[number];
  /** Groups that need nobody, and services that are well, are folded to a line. `undefined` = unless the board is of the past. */
  readonly fold: Folding | undefined;
  /** By `groupKey`: groups that are open, folded, or open with every service, whatever `fold` says. */
  readonly opened: readonly string[];
  readonly closed: readonly string[];
  readonly whole: readonly string[];
  /** Environments that few services use have columns of their own, too. */
  readonly others: boolean;
}

/** Who looks at the past wants to know what ran, and so sees all of it. */
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
  say: ({ group, order, fold, opened, closed, whole, others }) => [
    ['group', group],
    ['order', order === 'attention' ? undefined : order],
    ['fold', fold],
    ['open', ...opened],
    ['close', ...closed],
    ['whole', ...whole],
    ['others', flagged(others)],
  ],
};
