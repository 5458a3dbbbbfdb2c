import type { Filter } from '../../board/filter.ts';
import { type AddressPart, flagged } from '../address-part.ts';

/** The filters that all views share. */
export const filterPart: AddressPart<Filter> = {
  home: { services: [], environments: [], teams: [], mine: false, text: undefined, only: undefined },
  read: (query) => ({
    services: query.texts('service'),
    environments: query.texts('environment'),
    teams: query.texts('teams'),
    mine: query.flag('mine'),
    text: query.text('q'),
    only: query.word('only', ['failed', 'running', 'behind']),
  }),
  write: ({ services, environments, teams, mine, text, only }) => [
    ['service', ...services],
    ['environment', ...environments],
    ['teams', ...teams],
    ['mine', flagged(mine)],
    ['q', text || undefined],
    ['only', only],
  ],
};
