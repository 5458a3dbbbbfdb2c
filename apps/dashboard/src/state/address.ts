import type { ColumnChoice } from '../board/columns.ts';
import type { Filter } from '../board/filter.ts';
import { type AttentionState, attentionPart } from './address/attention.ts';
import { type BoardState, boardPart } from './address/board.ts';
import { type ComparisonState, comparisonPart } from './address/comparison.ts';
import { type EventsState, eventsPart } from './address/events.ts';
import { type FiguresState, figuresPart } from './address/figures.ts';
import { filterPart } from './address/filter.ts';
import { openedPart } from './address/opened.ts';
import { type PastState, pastPart } from './address/past.ts';
import { type QualityState, qualityPart } from './address/quality.ts';
import { type ReleaseState, releasePart } from './address/release.ts';
import { AddressQuery, flagged, type Said } from './address-part.ts';

export const views = ['board', 'swimlanes', 'releases', 'compare', 'feed', 'analytics', 'quality'] as const;
export type View = (typeof views)[number];

/** The URL as data: everything that a link to a view has to tell. */
export interface Address extends AttentionState, EventsState, PastState {
  readonly view: View;
  readonly filter: Filter;
  readonly columns: ColumnChoice;
  readonly board: BoardState;
  /** The slot whose history is open. */
  readonly slot: { readonly service: string; readonly environment: string } | undefined;
  readonly release: ReleaseState;
  readonly comparison: ComparisonState;
  readonly figures: FiguresState;
  readonly quality: QualityState;
  /** The service that is opened in pipelines. */
  readonly opened: string | undefined;
  /** For a wall display: no controls, large type. */
  readonly quiet: boolean;
}

export const home: Address = {
  view: 'board',
  filter: filterPart.home,
  columns: { order: [], hidden: [] },
  board: boardPart.home,
  slot: undefined,
  ...attentionPart.home,
  ...eventsPart.home,
  release: releasePart.home,
  ...pastPart.home,
  comparison: comparisonPart.home,
  figures: figuresPart.home,
  quality: qualityPart.home,
  opened: openedPart.home,
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
export function releasePage(asked: Partial<ReleaseState>): Partial<Address> {
  return { view: 'releases', slot: undefined, release: { ...releasePart.home, ...asked } };
}

/** What would reach one environment from another, or what changed since then. */
export function comparisonOf(asked: Partial<ComparisonState>): Partial<Address> {
  return { view: 'compare', slot: undefined, comparison: { ...comparisonPart.home, ...asked } };
}

/** The address that a query tells; what is missing or wrong in it is as in `home`. */
export function addressOf(search: string): Address {
  const query = new AddressQuery(search);
  const [service, environment] = [query.raw('history'), query.raw('in')];
  return {
    view: query.word('view', views) ?? home.view,
    filter: filterPart.read(query),
    columns: { order: query.texts('column'), hidden: query.texts('hide') },
    board: boardPart.read(query),
    slot: service !== undefined && environment !== undefined ? { service, environment } : undefined,
    ...attentionPart.read(query),
    ...eventsPart.read(query),
    release: releasePart.read(query),
    ...pastPart.read(query),
    comparison: comparisonPart.read(query),
    figures: figuresPart.read(query),
    quality: qualityPart.read(query),
    opened: openedPart.read(query),
    quiet: query.flag('quiet'),
  };
}

/** The query of an address, `?` included; empty at home. `addressOf` reads it back. */
export function searchOf(address: Address): string {
  const { view, filter, columns, board, slot, release, comparison, figures, quality, quiet } = address;
  const said: readonly Said[] = [
    ['view', view === home.view ? undefined : view],
    ...filterPart.say(filter),
    ['column', ...columns.order],
    ['hide', ...columns.hidden],
    ...boardPart.say(board),
    ['history', slot?.service],
    ['in', slot?.environment],
    ...attentionPart.say(address),
    ...eventsPart.say(address),
    ...releasePart.say(release),
    ...pastPart.say(address),
    ...comparisonPart.say(comparison),
    ...figuresPart.say(figures),
    ...qualityPart.say(quality),
    ...openedPart.say(address.opened),
    ['quiet', flagged(quiet)],
  ];
  const query = new URLSearchParams();
  for (const [name, ...values] of said) {
    for (const value of values) if (value !== undefined) query.append(name, value);
  }
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}
