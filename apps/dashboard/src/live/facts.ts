import { type Facts, factsOf, noFacts } from '../board/facts.ts';
import { Store } from '../state/store.ts';
import type { TabMessage } from './messages.ts';
import { settleLater } from './patience.ts';

export class FactsStore extends Store<Facts> {
  /** The facts are known or have timed out, so the page need not wait for them. */
  readonly isSettled = new Store(false);

  constructor(board: Store<unknown>) {
    super(noFacts);
    settleLater(board, () => this.isSettled.set(true));
  }

  take({ facts, position }: Extract<TabMessage, { readonly kind: 'facts' }>): void {
    this.set(facts ? factsOf(facts, position) : { ...this.value, position });
    this.isSettled.set(true);
  }
}
