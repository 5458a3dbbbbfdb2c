import type { AddressPart } from '../address-part.ts';

/** The service that is opened among others, by its exact name; `undefined` = none. */
export const openedPart: AddressPart<string | undefined> = {
  home: undefined,
  read: (query) => query.text('opened'),
  say: (service) => [['opened', service]],
};
