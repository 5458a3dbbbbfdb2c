import type { Filter } from '../board/filter.ts';
import { type Address, addressOf, searchOf } from './address.ts';
import { Store } from './store.ts';

/** Where the page is, as its URL says. */
export class Navigation {
  readonly address = new Store(addressOf(location.search));

  constructor() {
    addEventListener('popstate', () => this.address.set(addressOf(location.search)));
  }

  /** The link to the page as it is, with some changes. */
  linkTo(change: Partial<Address>): string {
    return searchOf({ ...this.address.value, ...change }) || '?';
  }

  /** Changes the address without loading anything; `replace` for typing and dragging, so that "back" skips all of it. */
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
