import type { Filter } from '../board/filter.ts';
import { type Address, addressOf, searchOf } from './address.ts';
import { Store, useStore } from './store.ts';

const address = new Store(addressOf(location.search));
addEventListener('popstate', () => address.set(addressOf(location.search)));

export function useAddress(): Address {
  return useStore(address);
}

/** Where the page is at this moment, which may be further on than what was drawn last. */
export function addressNow(): Address {
  return address.value;
}

/** The link to the page as it is but for what is named. */
export function linkTo(change: Partial<Address>): string {
  return searchOf({ ...address.value, ...change }) || '?';
}

/** Goes there without loading anything; `replace` for what is typed or dragged, so that "back" leads out of it at once. */
export function go(change: Partial<Address>, how: 'push' | 'replace' = 'push'): void {
  const next = { ...address.value, ...change };
  const url = `${location.pathname}${searchOf(next)}`;
  if (how === 'push') history.pushState(undefined, '', url);
  else history.replaceState(undefined, '', url);
  address.set(next);
}

/** Goes to the same view with another filter. */
export function narrow(change: Partial<Filter>, how?: 'push' | 'replace'): void {
  go({ filter: { ...address.value.filter, ...change } }, how);
}
