import type { AddressPart } from '../address-part.ts';

/** The exact name of the expanded service; `undefined` = none. */
export const openedPart: AddressPart<string | undefined> = {
  home: undefined,
  read: (query) => query.text('opened'),
  write: (service) => [['opened', service]],
};
