import { type Facts, factsOf, noFacts } from '../board/facts.ts';
import { type FutureRows, futureRowsIn, noFutureRows } from '../board/future-rows.ts';
import { Store } from '../state/store.ts';
import type { Connection } from './connection.ts';
import type { TabMessage } from './messages.ts';

/** The page waits at most this long for the facts. */
const patienceMs = 500;

export class FactsStore extends Store<Facts> {
  /** The facts are known or have timed out, so the page need not wait for them. */
  readonly isSettled = new Store(false);

  constructor() {
    super(noFacts);
    setTimeout(() => this.isSettled.set(true), patienceMs);
  }

  take({ facts, position }: Extract<TabMessage, { readonly kind: 'facts' }>): void {
    this.set(facts ? factsOf(facts, position) : { ...this.value, position });
    this.isSettled.set(true);
  }
}

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
