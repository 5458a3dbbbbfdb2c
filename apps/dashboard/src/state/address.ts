import { type FindingKind, findingKinds, statuses } from '@shiplog/contract';
import { attentionKinds } from '../board/attention.ts';
import type { Slot } from '../board/board.ts';
import type { Filter } from '../board/filter.ts';
import { everyEnvironment } from '../board/scope.ts';
import { boardPart } from './address/board.ts';
import { type ComparisonState, comparisonPart } from './address/comparison.ts';
import { figuresPart } from './address/figures.ts';
import { rangePart } from './address/range.ts';
import { type ReleaseState, releasePart } from './address/release.ts';
import { type AddressPart, flag, partOf, type StateOf, text, texts, word } from './address-part.ts';
import { currentQuery } from './former-address.ts';

export const views = ['board', 'changes', 'releases', 'analytics'] as const;
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

const slotPart: AddressPart<Slot | undefined> = {
  home: undefined,
  names: ['history', 'in'],
  read: (query) => {
    const [service, environment] = [query.get('history'), query.get('in')];
    return service !== null && environment !== null ? { service, environment } : undefined;
  },
  write: (slot) => [
    ['history', slot?.service],
    ['in', slot?.environment],
  ],
};

/** A time or a date, kept as written, or `now`. */
const pastPart: AddressPart<string | undefined> = {
  ...text('asof'),
  read: (query) => {
    const asof = query.get('asof') ?? '';
    return asof === 'now' || !Number.isNaN(Date.parse(asof)) ? asof : undefined;
  },
};

const kindsPart: AddressPart<readonly FindingKind[]> = {
  home: [],
  names: ['kind'],
  read: (query) => findingKinds.filter((kind) => query.getAll('kind').includes(kind)),
  write: (kinds) => [['kind', ...kinds]],
};

const parts = {
  view: word('view', views, 'board'),
  filter: filterPart,
  slot: slotPart,
  columns: partOf({ order: texts('column'), hidden: texts('hide') }),
  board: boardPart,
  /** Lists all new items, older or hidden ones, or all of one kind; `undefined` = only the most urgent new items. */
  attention: word('attention', ['all', 'older', 'hidden', 'production', ...attentionKinds]),
  /** The exact name of the service that is expanded in the progress layout. */
  opened: text('opened'),
  /** The filters of the changes. A deployment is shown whatever the range. */
  status: word('status', statuses),
  actor: text('actor'),
  deployment: text('deployment'),
  /** Lists what the range changed in each place instead of each deployment. */
  net: flag('net'),
  /** The time range of changes and analytics. */
  range: rangePart,
  release: releasePart,
  /** The time of a past board; `now` = the current board with the time travel bar; `undefined` = without it. */
  asof: pastPart,
  comparison: comparisonPart,
  figures: figuresPart,
  quality: partOf({ kinds: kindsPart }),
};
type PartName = keyof typeof parts;

/** The parts that each view has besides those that all views share. */
const ofView: Readonly<Record<View, readonly PartName[]>> = {
  board: ['columns', 'board', 'attention', 'opened', 'asof'],
  changes: ['status', 'actor', 'deployment', 'net', 'range'],
  releases: ['release', 'comparison', 'asof'],
  analytics: ['figures', 'range', 'quality'],
};
const ofAll: readonly PartName[] = ['view', 'filter', 'slot'];

const addressPart = partOf(parts);

/** The state of the page that is stored in its URL, so that a link restores it. */
export type Address = StateOf<typeof addressPart>;

export const { home } = addressPart;

function partsOf(view: View): AddressPart<Partial<Address>> {
  const names = [...ofAll, ...ofView[view]];
  return partOf(Object.fromEntries(names.map((name) => [name, parts[name]])));
}

const { filter, status, actor, deployment, net, range } = home;
export const unfiltered = { filter, status, actor, deployment } satisfies Partial<Address>;

/** The changes in all environments and the default range, unless the filter or the range is given. */
export function changesOf({ filter: given = filter, ...narrowed }: Partial<Address>): Partial<Address> {
  const environments = given.environments.length > 0 ? given.environments : [everyEnvironment];
  const state = { ...unfiltered, net, range, filter: { ...given, environments }, ...narrowed };
  return { view: 'changes', slot: undefined, ...state };
}

/** The page of a release, focused on an environment if one is given. */
export function releasePage(state: Partial<ReleaseState>): Partial<Address> {
  return { view: 'releases', slot: undefined, release: { ...releasePart.home, ...state } };
}

/** What would reach an environment from another one. */
export function comparisonOf(state: Partial<ComparisonState>): Partial<Address> {
  return { ...releasePage({ tab: 'reach' }), comparison: { ...comparisonPart.home, ...state } };
}

/** The findings about the data, with the filter of the page. */
export function qualityPage(narrowed: Partial<Address> = {}): Partial<Address> {
  const figures = { ...home.figures, tab: 'quality' as const };
  return { view: 'analytics', slot: undefined, figures, quality: home.quality, ...narrowed };
}

/** The parts of a query's view. Missing and invalid parameters have the value in `home`. */
export function changeOf(search: string): Partial<Address> {
  const query = currentQuery(new URLSearchParams(search));
  return partsOf(parts.view.read(query)).read(query);
}

export function addressOf(search: string): Address {
  return { ...home, ...changeOf(search) };
}

/** The names of parameters that mean nothing in this query's view, and `view` if there is no such view. */
export function unknownIn(search: string): string[] {
  const query = currentQuery(new URLSearchParams(search));
  const view = parts.view.read(query);
  const { names } = partsOf(view);
  const unknown = [...new Set(query.keys())].filter((name) => !names.includes(name));
  return query.has('view') && query.get('view') !== view ? ['view', ...unknown] : unknown;
}

/** The query of an address, including `?`; empty for `home`. It has the parameters of the view, and `addressOf` reads it back. */
export function searchOf(address: Address): string {
  const query = new URLSearchParams();
  for (const [name, ...values] of partsOf(address.view).write(address)) {
    for (const value of values) if (value !== undefined) query.append(name, value);
  }
  const written = query.toString();
  return written === '' ? '' : `?${written}`;
}
