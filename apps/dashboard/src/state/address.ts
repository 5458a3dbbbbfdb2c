import type { ColumnChoice } from '../board/columns.ts';
import type { Filter } from '../board/filter.ts';
import { type AttentionAsked, attentionAsked } from './asked/attention.ts';
import { type BoardAsked, boardAsked } from './asked/board.ts';
import { type ComparisonAsked, comparisonAsked } from './asked/comparison.ts';
import { type EventsAsked, eventsAsked } from './asked/events.ts';
import { type FiguresAsked, figuresAsked } from './asked/figures.ts';
import { filterAsked } from './asked/filter.ts';
import { openedAsked } from './asked/opened.ts';
import { type PastAsked, pastAsked } from './asked/past.ts';
import { type QualityAsked, qualityAsked } from './asked/quality.ts';
import { type ReleaseAsked, releaseAsked } from './asked/release.ts';
import { AddressQuery, flagged, type Said } from './asked.ts';

export const views = ['board', 'swimlanes', 'releases', 'compare', 'feed', 'analytics', 'quality'] as const;
export type View = (typeof views)[number];

/** The URL as data: everything that a link to a view has to tell. */
export interface Address extends AttentionAsked, EventsAsked, PastAsked {
  readonly view: View;
  readonly filter: Filter;
  readonly columns: ColumnChoice;
  readonly board: BoardAsked;
  /** The slot whose history is open. */
  readonly slot: { readonly service: string; readonly environment: string } | undefined;
  readonly release: ReleaseAsked;
  readonly comparison: ComparisonAsked;
  readonly figures: FiguresAsked;
  readonly quality: QualityAsked;
  /** The service that is opened in pipelines. */
  readonly opened: string | undefined;
  /** For a wall display: no controls, large type. */
  readonly quiet: boolean;
}

export const home: Address = {
  view: 'board',
  filter: filterAsked.home,
  columns: { order: [], hidden: [] },
  board: boardAsked.home,
  slot: undefined,
  ...attentionAsked.home,
  ...eventsAsked.home,
  release: releaseAsked.home,
  ...pastAsked.home,
  comparison: comparisonAsked.home,
  figures: figuresAsked.home,
  quality: qualityAsked.home,
  opened: openedAsked.home,
  quiet: false,
};

const { filter, status, actor, deployment, since, until } = home;
/** No filter at all. */
export const unfiltered = { filter, status, actor, deployment, since, until } satisfies Partial<Address>;

/** The feed with these filters and no others. */
export function feedOf(narrowed: Partial<Address>): Partial<Address> {
  return { view: 'feed', slot: undefined, ...unfiltered, ...narrowed };
}

/** The page of a release, as to one environment where that is named. */
export function releasePage(asked: Partial<ReleaseAsked>): Partial<Address> {
  return { view: 'releases', slot: undefined, release: { ...releaseAsked.home, ...asked } };
}

/** What would reach one environment from another, or what changed since then. */
export function comparisonOf(asked: Partial<ComparisonAsked>): Partial<Address> {
  return { view: 'compare', slot: undefined, comparison: { ...comparisonAsked.home, ...asked } };
}

/** The address that a query tells; what is missing or wrong in it is as in `home`. */
export function addressOf(search: string): Address {
  const query = new AddressQuery(search);
  const [service, environment] = [query.raw('history'), query.raw('in')];
  return {
    view: query.word('view', views) ?? home.view,
    filter: filterAsked.read(query),
    columns: { order: query.texts('column'), hidden: query.texts('hide') },
    board: boardAsked.read(query),
    slot: service !== undefined && environment !== undefined ? { service, environment } : undefined,
    ...attentionAsked.read(query),
    ...eventsAsked.read(query),
    release: releaseAsked.read(query),
    ...pastAsked.read(query),
    comparison: comparisonAsked.read(query),
    figures: figuresAsked.read(query),
    quality: qualityAsked.read(query),
    opened: openedAsked.read(query),
    quiet: query.flag('quiet'),
  };
}

/** The query of an address, `?` included; empty at home. `addressOf` reads it back. */
export function searchOf(address: Address): string {
  const { view, filter, columns, board, slot, release, comparison, figures, quality, quiet } = address;
  const said: readonly Said[] = [
    ['view', view === home.view ? undefined : view],
    ...filterAsked.say(filter),
    ['column', ...columns.order],
    ['hide', ...columns.hidden],
    ...boardAsked.say(board),
    ['history', slot?.service],
    ['in', slot?.environment],
    ...attentionAsked.say(address),
    ...eventsAsked.say(address),
    ...releaseAsked.say(release),
    ...pastAsked.say(address),
    ...comparisonAsked.say(comparison),
    ...figuresAsked.say(figures),
    ...qualityAsked.say(quality),
    ...openedAsked.say(address.opened),
    ['quiet', flagged(quiet)],
  ];
  const query = new URLSearchParams();
  for (const [name, ...values] of said) {
    for (const value of values) if (value !== undefined) query.append(name, value);
  }
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}
