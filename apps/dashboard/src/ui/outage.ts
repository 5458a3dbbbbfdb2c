import { Store } from '../state/store.ts';

/** Since when the service has not answered, where that is too long; `undefined` = there is no outage. */
export const outage = new Store<number | undefined>(undefined);
