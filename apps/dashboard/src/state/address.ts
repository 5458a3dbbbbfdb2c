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
import { AddressQuery, flagged, type Parameter } from './address-part.ts';

export const views = ['board', 'swimlanes', 'releases', 'compare', 'feed', 'analytics', 'quality'] as const;
export type View = (typeof views)[number];

/** The state of the page that its URL holds, so that a link shows the same. */
export interface Address extends AttentionState, EventsState, PastState {
  readonly view: View;
  readonly filter: Filter;
  readonly columns: ColumnChoice;
  readonly board: BoardState;
  /** The slot with an open history. */
  readonly slot: { readonly service: string; readonly environment: string } | undefined;
  readonly release: ReleaseState;
  readonly comparison: ComparisonState;
  readonly figures: FiguresState;
  readonly quality: QualityState;
  /** The service that is expanded in the pipelines view. */
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
/** No filters. */
export const unfiltered = { filter, status, actor, deployment, since, until } satisfies Partial<Address>;

/** The feed with only these filters. */
export function feedOf(narrowed: Partial<Address>): Partial<Address> {
  return { view: 'feed', slot: undefined, ...unfiltered, ...narrowed };
}

/** The page of a release, focused on an environment if one is given. */
export function releasePage(state: Partial<ReleaseState>): Partial<Address> {
  return { view: 'releases', slot: undefined, release: { ...releasePart.home, ...state } };
}

/** The compare view with this question. */
export function comparisonOf(state: Partial<ComparisonState>): Partial<Address> {
  return { view: 'compare', slot: undefined, comparison: { ...comparisonPart.home, ...state } };
}

/** The address that a query describes; missing and invalid parameters are as in `home`. */
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
  const parameters: readonly Parameter[] = [
    ['view', view === home.view ? undefined : view],
    ...filterPart.write(filter),
    ['column', ...columns.order],
    ['hide', ...columns.hidden],
    ...boardPart.write(board),
    ['history', slot?.service],
    ['in', slot?.environment],
    ...attentionPart.write(address),
    ...eventsPart.write(address),
    ...releasePart.write(release),
    ...pastPart.write(address),
    ...comparisonPart.write(comparison),
    ...figuresPart.write(figures),
    ...qualityPart.write(quality),
    ...openedPart.write(address.opened),
    ['quiet', flagged(quiet)],
  ];
  const query = new URLSearchParams();
  for (const [name, ...values] of parameters) {
    for (const value of values) if (value !== undefined) query.append(name, value);
  }
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}
