import { type AnalyticsWindowName, analyticsWindows, type Status, statuses } from '@shiplog/contract';
import type { ColumnChoice } from '../board/columns.ts';
import type { Filter } from '../board/filter.ts';

export const views = ['board', 'swimlanes', 'feed', 'analytics'] as const;
export type View = (typeof views)[number];

/** The URL as data: everything that a link to a view has to tell. */
export interface Address {
  readonly view: View;
  readonly filter: Filter;
  readonly columns: ColumnChoice;
  /** The one environment that a phone shows; the first column by default. */
  readonly picked: string | undefined;
  /** The slot whose history is open. */
  readonly slot: { readonly service: string; readonly environment: string } | undefined;
  /** The rows of the feed are narrowed to these. */
  readonly status: Status | undefined;
  readonly actor: string | undefined;
  readonly deployment: string | undefined;
  /** Instants, as the listing takes them: from, and before. */
  readonly since: string | undefined;
  readonly until: string | undefined;
  /** Rows of one deployment are grouped. */
  readonly grouped: boolean;
  readonly window: AnalyticsWindowName;
  /** For a wall display: no controls, large type. */
  readonly quiet: boolean;
}

export const home: Address = {
  view: 'board',
  filter: { services: [], environments: [], text: undefined, only: undefined },
  columns: { order: [], hidden: [] },
  picked: undefined,
  slot: undefined,
  status: undefined,
  actor: undefined,
  deployment: undefined,
  since: undefined,
  until: undefined,
  grouped: false,
  window: '7d',
  quiet: false,
};

const { filter, status, actor, deployment, since, until } = home;
/** No filter at all. */
export const unfiltered = { filter, status, actor, deployment, since, until } satisfies Partial<Address>;

/** The feed with these filters and no others. */
export function feedOf(narrowed: Partial<Address>): Partial<Address> {
  return { view: 'feed', slot: undefined, ...unfiltered, ...narrowed };
}

/** The address that a query tells; what is missing or wrong in it is as in `home`. */
export function addressOf(search: string): Address {
  const query = new URLSearchParams(search);
  const text = (name: string) => query.get(name) || undefined;
  const choice = <Value extends string>(name: string, values: readonly Value[]) =>
    values.find((value) => value === query.get(name));
  const service = query.get('history');
  const environment = query.get('in');
  return {
    view: choice('view', views) ?? home.view,
    filter: {
      services: named(query, 'service'),
      environments: named(query, 'environment'),
      text: text('q'),
      only: choice('only', ['failed', 'running']),
    },
    columns: { order: named(query, 'column'), hidden: named(query, 'hide') },
    picked: text('at'),
    slot: service !== null && environment !== null ? { service, environment } : undefined,
    status: choice('status', statuses),
    actor: text('actor'),
    deployment: text('deployment'),
    since: instantIn(query, 'since'),
    until: instantIn(query, 'until'),
    grouped: query.get('grouped') === '1',
    window: choice('window', analyticsWindows) ?? home.window,
    quiet: query.get('quiet') === '1',
  };
}

function named(query: URLSearchParams, name: string): string[] {
  return [...new Set(query.getAll(name).filter((value) => value !== ''))];
}

function instantIn(query: URLSearchParams, name: string): string | undefined {
  const value = query.get(name) ?? '';
  return Number.isNaN(Date.parse(value)) ? undefined : value;
}

/** The query of an address, `?` included; empty at home. `addressOf` reads it back. */
export function searchOf(address: Address): string {
  const { view, filter, columns, slot, grouped, window, quiet } = address;
  const query = new URLSearchParams();
  const say = (name: string, values: readonly (string | undefined)[]) => {
    for (const value of values) if (value !== undefined) query.append(name, value);
  };
  say('view', [view === home.view ? undefined : view]);
  say('service', filter.services);
  say('environment', filter.environments);
  say('q', [filter.text || undefined]);
  say('only', [filter.only]);
  say('column', columns.order);
  say('hide', columns.hidden);
  say('at', [address.picked]);
  say('history', [slot?.service]);
  say('in', [slot?.environment]);
  for (const name of ['status', 'actor', 'deployment', 'since', 'until'] as const) say(name, [address[name]]);
  say('grouped', [grouped ? '1' : undefined]);
  say('window', [window === home.window ? undefined : window]);
  say('quiet', [quiet ? '1' : undefined]);
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}
