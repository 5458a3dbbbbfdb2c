import type { Change, ChangesHistogram, ChangesPage, DeploymentEvent, NetChange, Status } from '@shiplog/contract';
import { type Answer, micros, type WireRequest } from '@shiplog/testing';
import { type Api, bodyOf, type EventFields } from './api.ts';
import { instant } from './arrival.ts';
import { allStatuses, keyHeaders } from './specification.ts';

export const changesPath = '/api/changes';
export const histogramPath = '/api/changes/histogram';

/** Query values by name; a list repeats the parameter. */
export type ChangesQuery = Readonly<Record<string, string | number | readonly string[]>>;

/** A page with changes; with `net=true` its items are places instead. */
export type Page<Item = Change> = Omit<ChangesPage, 'items'> & { readonly items: readonly Item[] };

/** A row of a deployment: its minute within the day, its status, and other fields. */
export type Row = readonly [at: number, status: Status, fields?: EventFields];

const dayMs = 86_400_000;
const eras = { alone: [1100, 1900], ahead: [1900, 2000] } as const;

/**
 * A random day between the years 1100 and 1900. No other test and no other run has rows near it, so a range of this day
 * contains the changes of one test only, whatever else the log contains. A test with changes that last into the future
 * must take a day of the era `ahead`, because they belong to all ranges in between, and must always read with a scope.
 */
export class OwnDay {
  readonly #api: Api;
  readonly #startMs: number;

  constructor(api: Api, era: keyof typeof eras = 'alone') {
    const [start, end] = eras[era].map((year) => Date.UTC(year, 0, 1)) as [number, number];
    this.#api = api;
    this.#startMs = start + Math.floor((Math.random() * (end - start)) / dayMs) * dayMs;
  }

  /** The time this many minutes after noon, with microseconds. */
  at(minutes: number, micros = 0): string {
    const total = Math.round(minutes * 60_000_000) + micros;
    const ms = Math.floor(total / 1000);
    return instant(this.#startMs + dayMs / 2 + ms, total - ms * 1000);
  }

  /** The query of the range between two minutes. */
  range(from: number, to: number): { from: string; to: string } {
    return { from: this.at(from), to: this.at(to) };
  }

  /** Stores rows one after another. */
  async store(fields: EventFields, ...rows: readonly Row[]): Promise<DeploymentEvent[]> {
    const events = rows.map(([at, status, more]) => ({ ...fields, status, happened_at: this.at(at), ...more }));
    return this.#api.appendAll(events);
  }
}

export function pathWith(path: string, query: ChangesQuery): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((each) => `${name}=${encodeURIComponent(each as string | number)}`),
  );
  return pairs.length === 0 ? path : `${path}?${pairs.join('&')}`;
}

/** The changes API of one target. */
export class Changes {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  get(query: ChangesQuery = {}, headers: WireRequest['headers'] = {}): Promise<Answer> {
    return this.#api.send({ path: pathWith(changesPath, query), headers });
  }

  async read(query: ChangesQuery = {}): Promise<Page> {
    return bodyOf<Page>(await this.get(query));
  }

  /** The only item of a response. */
  async readOne(query: ChangesQuery): Promise<Change> {
    const { items, ahead } = await this.read(query);
    const [item] = items;
    if (!item || items.length > 1 || ahead.length > 0) throw new Error(`not one change: ${JSON.stringify(items)}`);
    return item;
  }

  async readNet(query: ChangesQuery): Promise<Page<NetChange>> {
    return bodyOf<Page<NetChange>>(await this.get({ ...query, net: 'true' }));
  }

  histogram(query: ChangesQuery = {}, headers: WireRequest['headers'] = {}): Promise<Answer> {
    return this.#api.send({ path: pathWith(histogramPath, query), headers });
  }

  async readHistogram(query: ChangesQuery = {}): Promise<ChangesHistogram> {
    return bodyOf<ChangesHistogram>(await this.histogram(query));
  }

  /** All pages. `between` runs after each of them. */
  async walk<Item = Change>(query: ChangesQuery, between: () => Promise<void> = async () => {}): Promise<Page<Item>[]> {
    const pages: Page<Item>[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page: Page<Item> = bodyOf<Page<Item>>(await this.get({ ...query, ...(cursor && { cursor }) }));
      pages.push(page);
      cursor = page.next_cursor;
      await between();
    }
    return pages;
  }
}

/** `by_state` with all eight states; those that are not given are 0. */
export function byState(counts: Partial<Record<Status, number>> = {}): Record<Status, number> {
  return { ...(Object.fromEntries(allStatuses.map((status) => [status, 0])) as Record<Status, number>), ...counts };
}

/** The sum of `by_state`. */
export function sumOf(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

/** An instant in microseconds since 1970, to compare instants whose texts may differ. */
export function microsOf(happened_at: string): bigint {
  return micros({ happened_at });
}

/** The time this many minutes after the clock of this process. */
export function hence(minutes: number): string {
  return new Date(Date.now() + minutes * 60_000).toISOString();
}

/** Removes an event with the control key (reading 8.7). */
export async function removeEvent(api: Api, id: string | undefined): Promise<void> {
  const { status, text } = await api.send({
    method: 'DELETE',
    path: `/api/deployments/${id}`,
    headers: { [keyHeaders.control]: api.keys.control },
    body: JSON.stringify({ reason: 'false' }),
  });
  if (status !== 204) throw new Error(`the removal was answered ${status}: ${text}`);
}
