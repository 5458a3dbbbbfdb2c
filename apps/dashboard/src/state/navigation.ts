import type { Filter } from '../board/filter.ts';
import { type Address, addressOf, searchOf } from './address.ts';
import { Store } from './store.ts';

/** Where the page is, as its URL says. */
export class Navigation {
  readonly address = new Store(addressOf(location.search));

  constructor() {
    addEventListener('popstate', () => this.address.set(addressOf(location.search)));
  }

  /** The link to the page as it is but for what is named. */
  linkTo(change: Partial<Address>): string {
    return searchOf({ ...this.address.value, ...change }) || '?';
  }

  /** Goes there without loading anything; `replace` for what is typed or dragged, so that "back" leads out of it at once. */
  go(change: Partial<Address>, how: 'push' | 'replace' = 'push'): void {
    const next = { ...this.address.value, ...change };
    const url = `${location.pathname}${searchOf(next)}`;
    if (how === 'push') history.pushState(undefined, '', url);
    else history.replaceState(undefined, '', url);
    this.address.set(next);
  }

  /** Goes to the same view with another filter. */
  narrow(change: Partial<Filter>, how?: 'push' | 'replace'): void {
    this.go({ filter: { ...this.address.value.filter, ...change } }, how);
  }
}
