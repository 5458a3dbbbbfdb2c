import type { Asked } from '../asked.ts';

/** The service that is opened among others, by its exact name; `undefined` = none. */
export const openedAsked: Asked<string | undefined> = {
  home: undefined,
  read: (query) => query.text('opened'),
  say: (service) => [['opened', service]],
};
