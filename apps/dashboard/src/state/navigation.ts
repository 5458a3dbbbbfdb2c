import type { Filter } from '../board/filter.ts';
import { type Address, addressOf, searchOf } from './address.ts';
import { addressWith } from './display.ts';
import { Store } from './store.ts';

export class Navigation {
  readonly address: Store<Address>;

  /** `display` is the query of the viewer's last choice of how the board is drawn. */
  constructor(display: string) {
    this.address = new Store(addressWith(location.search, display));
    addEventListener('popstate', () => this.address.set(addressOf(location.search)));
  }

  /** A link to the current page with some changes. */
  linkTo(change: Partial<Address>): string {
    return searchOf({ ...this.address.value, ...change }) || '?';
  }

  /** Changes the address without a page load. Use `replace` for typing and dragging: "back" skips these steps. */
  go(change: Partial<Address>, how: 'push' | 'replace' = 'push'): void {
    const next = { ...this.address.value, ...change };
    const url = `${location.pathname}${searchOf(next)}`;
    if (how === 'push') history.pushState(undefined, '', url);
    else history.replaceState(undefined, '', url);
    this.address.set(next);
  }

  narrow(change: Partial<Filter>, how?: 'push' | 'replace'): void {
    this.go({ filter: { ...this.address.value.filter, ...change } }, how);
  }
}
