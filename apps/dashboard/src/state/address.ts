import { type FindingKind, findingKinds, statuses } from '@shiplog/contract';
import { attentionKinds } from '../board/attention.ts';
import type { Filter } from '../board/filter.ts';
import { boardPart } from './address/board.ts';
import { type ComparisonState, comparisonPart } from './address/comparison.ts';
import { figuresPart } from './address/figures.ts';
import { type ReleaseState, releasePart } from './address/release.ts';
import { type AddressPart, flag, instant, partOf, type StateOf, text, texts, word } from './address-part.ts';

export const views = ['board', 'swimlanes', 'releases', 'compare', 'feed', 'analytics', 'quality'] as const;
export type View = (typeof views)[number];

/** The filters that all views share. */
const filterPart: AddressPart<Filter> = partOf({
  services: texts('service'),
  environments: texts('environment'),
  teams: texts('teams'),
  mine: flag('mine'),
  text: text('q'),
  only: word('only', ['failed', 'running', 'behind']),
});

interface Slot {
  readonly service: string;
  readonly environment: string;
}

const slotPart: AddressPart<Slot | undefined> = {
  home: undefined,
  read: (query) => {
    const [service, environment] = [query.get('history'), query.get('in')];
    return service !== null && environment !== null ? { service, environment } : undefined;
  },
  write: (slot) => [
    ['history', slot?.service],
    ['in', slot?.environment],
  ],
};

const pastPart: AddressPart<string | undefined> = {
  ...instant('asof'),
  read: (query) => (query.get('asof') === 'now' ? 'now' : instant('asof').read(query)),
};

const kindsPart: AddressPart<readonly FindingKind[]> = {
  home: [],
  read: (query) => findingKinds.filter((kind) => query.getAll('kind').includes(kind)),
  write: (kinds) => [['kind', ...kinds]],
};

const addressPart = partOf({
  view: word('view', views, 'board'),
  filter: filterPart,
  columns: partOf({ order: texts('column'), hidden: texts('hide') }),
  board: boardPart,
  slot: slotPart,
  /** Lists all items, or all items of one kind; `undefined` = only the most urgent items. */
  attention: word('attention', ['all', 'production', ...attentionKinds]),
  /** A phone shows the services without the list of what needs attention. */
  servicesOnly: flag('services'),
  /** The filters and grouping of the feed. */
  status: word('status', statuses),
  actor: text('actor'),
  deployment: text('deployment'),
  /** Times as in the API: from (inclusive) and before (exclusive). */
  since: instant('since'),
  until: instant('until'),
  grouped: flag('grouped'),
  release: releasePart,
  /** The time of a past board; `now` = the current board with the time travel bar; `undefined` = without it. */
  asof: pastPart,
  comparison: comparisonPart,
  figures: figuresPart,
  quality: partOf({ kinds: kindsPart }),
  /** The exact name of the service that is expanded in the pipelines view. */
  opened: text('opened'),
  /** For a wall display: no controls, large type. */
  quiet: flag('quiet'),
});

/** The state of the page that is stored in its URL, so that a link restores it. */
export type Address = StateOf<typeof addressPart>;

export const { home } = addressPart;

const { filter, status, actor, deployment, since, until } = home;
export const unfiltered = { filter, status, actor, deployment, since, until } satisfies Partial<Address>;

export function feedOf(narrowed: Partial<Address>): Partial<Address> {
  return { view: 'feed', slot: undefined, ...unfiltered, ...narrowed };
}

/** The page of a release, focused on an environment if one is given. */
export function releasePage(state: Partial<ReleaseState>): Partial<Address> {
  return { view: 'releases', slot: undefined, release: { ...releasePart.home, ...state } };
}

export function comparisonOf(state: Partial<ComparisonState>): Partial<Address> {
  return { view: 'compare', slot: undefined, comparison: { ...comparisonPart.home, ...state } };
}

/** The address for a query. Missing and invalid parameters have the value in `home`. */
export function addressOf(search: string): Address {
  return addressPart.read(new URLSearchParams(search));
}

/** The query of an address, including `?`; empty for `home`. `addressOf` reads it back. */
export function searchOf(address: Address): string {
  const query = new URLSearchParams();
  for (const [name, ...values] of addressPart.write(address)) {
    for (const value of values) if (value !== undefined) query.append(name, value);
  }
  const written = query.toString();
  return written === '' ? '' : `?${written}`;
}
