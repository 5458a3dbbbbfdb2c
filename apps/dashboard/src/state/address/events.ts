import { type Status, statuses } from '@shiplog/contract';
import { type AddressPart, flagged } from '../address-part.ts';

/** The filters and grouping of the feed. */
export interface EventsState {
  readonly status: Status | undefined;
  readonly actor: string | undefined;
  readonly deployment: string | undefined;
  /** Times as in the API: from (inclusive) and before (exclusive). */
  readonly since: string | undefined;
  readonly until: string | undefined;
  /** Whether rows are grouped by deployment. */
  readonly grouped: boolean;
}

export const eventsPart: AddressPart<EventsState> = {
  home: {
    status: undefined,
    actor: undefined,
    deployment: undefined,
    since: undefined,
    until: undefined,
    grouped: false,
  },
  read: (query) => ({
    status: query.word('status', statuses),
    actor: query.text('actor'),
    deployment: query.text('deployment'),
    since: query.instant('since'),
    until: query.instant('until'),
    grouped: query.flag('grouped'),
  }),
  write: ({ status, actor, deployment, since, until, grouped }) => [
    ['status', status],
    ['actor', actor],
    ['deployment', deployment],
    ['since', since],
    ['until', until],
    ['grouped', flagged(grouped)],
  ],
};
