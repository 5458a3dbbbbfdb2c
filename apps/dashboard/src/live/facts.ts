import { type Facts, factsOf, noFacts } from '../board/facts.ts';
import { Store } from '../state/store.ts';
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
