import { type FutureRows, futureRowsIn, noFutureRows } from '../board/future-rows.ts';
import { Store } from '../state/store.ts';
import type { Connection } from './connection.ts';

/** The slots whose current event is dated in the future, updated with the board, the facts and the clock. */
export function futureRowsOf({ board, facts, now }: Connection): Store<FutureRows> {
  const futureRows = new Store<FutureRows>(noFutureRows);
  const update = () => {
    const { value } = futureRows;
    futureRows.set(board.value ? futureRowsIn(board.value, facts.value, now.value, value) : noFutureRows);
  };
  for (const store of [board, facts, now]) store.listen(update);
  return futureRows;
}
