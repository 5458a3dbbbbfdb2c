import { boardPart } from './address/board.ts';
import { type Address, addressOf, home, searchOf } from './address.ts';
import { currentQuery } from './former-address.ts';

type Display = Pick<Address, 'board' | 'columns'>;

/** How a board is drawn, as a query; without what was opened or folded individually, and never the wall. */
export function displayOf({ board, columns }: Display): string {
  const { group, order, fold, stages } = board;
  const layout = board.layout === 'wall' ? 'grid' : board.layout;
  return searchOf({ ...home, board: { ...home.board, layout, group, order, fold, stages }, columns });
}

const names = new Set([...boardPart.names, 'column', 'hide']);

/** The address of a query. If the query doesn't say how the board is drawn, the browser's last choice applies. */
export function addressWith(search: string, remembered: string): Address {
  const address = addressOf(search);
  if ([...currentQuery(new URLSearchParams(search)).keys()].some((name) => names.has(name))) return address;
  const { board, columns } = addressOf(remembered);
  return { ...address, board, columns };
}
