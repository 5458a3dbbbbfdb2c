import type { DeploymentEvent, DeploymentEventPage } from '@shiplog/contract';
import { Store } from '../state/store.ts';
import {
  cutTo,
  isInside,
  type LoadedRange,
  merged,
  nothingLoaded,
  type Page,
  touches,
  withArrivals,
  withPage,
} from './loaded-range.ts';
import type { ListQuery, LogQuery } from './log-query.ts';

/** `position`: the end of the log when the page was read; `''` = unknown. */
export interface Listing extends DeploymentEventPage {
  readonly position: string;
}

export type Ask = (
  query: ListQuery & { readonly limit: number; readonly cursor?: string },
  signal: AbortSignal,
) => Promise<Listing>;

export interface ReaderState {
  readonly loaded: LoadedRange;
  /** `paused`: the viewer stopped the reader, or a call of `older` has read `pagesAtOnce` pages. */
  readonly phase: 'resting' | 'asking' | 'paused' | 'failed';
  readonly fault: unknown;
  /** How many events were read, matching or not. */
  readonly searched: number;
  /** Matching events that are not shown until the viewer scrolls back to the top. */
  readonly held: readonly DeploymentEvent[];
  /** More events arrived than the reader can hold, so it has to start over. */
  readonly isBehind: boolean;
}

/** One call of `older` reads at most `pagesAtOnce` pages, and stops after a `screenful` of matches. */
const pagesAtOnce = 20;
const screenful = 30;
const pageRows = 100;
const filteredPageRows = 500;
const heldMax = 500;
/** As events arrive, a list of more than `rowsMax` rows is cut to `rowsAfterCut`. */
const rowsMax = 2000;
const rowsAfterCut = 1000;

const initial: ReaderState = {
  loaded: nothingLoaded,
  phase: 'resting',
  fault: undefined,
  searched: 0,
  held: [],
  isBehind: false,
};

/**
 * Reads the log for one query from the newest event back, and adds events that arrive meanwhile.
 *
 * ```
 *   resting ──older──► asking ──enough, or the beginning──► resting
 *   paused ───older──►   │ ├──stopped, or page limit────► paused
 *   failed ───older──►   │ └──no answer────────────────► failed
 * ```
 */
export class LogReader {
  readonly state = new Store<ReaderState>(initial);
  readonly #ask: Ask;
  readonly #query: LogQuery;
  /** The ids of removed events. A page that was already requested may still include them. */
  readonly #removed = new Set<string>();
  #next: { readonly cursor?: string; readonly until?: string } = {};
  /** The end of the log when the newest events were requested; `undefined` before the first response. */
  #position: string | undefined;
  /** Events up to this id may be missing; `''` = unknown. */
  #missed: string | undefined;
  #search = new AbortController();
  readonly #over = new AbortController();
  #holds = false;
  readonly #fresh = new Set<string>();

  constructor(ask: Ask, query: LogQuery) {
    this.#ask = ask;
    this.#query = query;
  }

  /** Reads older events until there is another screenful of matches. */
  async older(): Promise<void> {
    const { phase, loaded } = this.state.value;
    if (phase === 'asking' || loaded.isWhole || this.#query.isImpossible) return;
    const search = new AbortController();
    this.#search = search;
    this.#set({ phase: 'asking', fault: undefined });
    try {
      const phase = await this.#readPages(search.signal, loaded.events.length + screenful);
      if (!search.signal.aborted) this.#set({ phase });
    } catch (fault) {
      if (!search.signal.aborted) this.#set({ phase: 'failed', fault });
    }
  }

  stop(): void {
    this.#search.abort();
    if (this.state.value.phase === 'asking') this.#set({ phase: 'paused' });
  }

  async reload(): Promise<void> {
    this.#search.abort();
    this.#next = {};
    this.#position = undefined;
    this.#fresh.clear();
    this.state.set(initial);
    await this.older();
  }

  /** Adds events that arrived, matching or not. */
  take(events: readonly DeploymentEvent[]): void {
    const matching = events.filter(this.#matches);
    if (matching.length === 0) return;
    if (this.#holds) this.#hold(matching);
    else this.#show(matching);
  }

  remove(id: string): void {
    this.#removed.add(id);
    const { loaded, held } = this.state.value;
    const isThere = (event: DeploymentEvent) => event.id !== id;
    if ([...loaded.events, ...loaded.early, ...held].every(isThere)) return;
    const [events, early] = [loaded.events.filter(isThere), loaded.early.filter(isThere)];
    this.#set({ loaded: { ...loaded, events, early }, held: held.filter(isThere) });
  }

  /** While the reader holds, it doesn't show arriving events, so that the list doesn't move while it is read. */
  hold(holds: boolean): void {
    this.#holds = holds;
    if (!holds) this.release();
  }

  release(): void {
    const { held, isBehind } = this.state.value;
    if (isBehind) void this.reload();
    else if (held.length > 0) {
      this.#set({ held: [] });
      this.#show(held);
    }
  }

  /** Requests the newest page unless the reader has the event `upTo`; `''` = the missing events are unknown. */
  async catchUp(upTo: string): Promise<void> {
    this.#missed = upTo;
    if (this.#position !== undefined) await this.#fillGap(this.#position);
  }

  /** The loaded events are outdated. While the viewer is scrolled down, a button offers to reload. */
  startOver(): void {
    if (this.#holds) this.#set({ isBehind: true });
    else void this.reload();
  }

  /** Whether to highlight an event; true only on the first call. */
  isFresh(id: string): boolean {
    return this.#fresh.delete(id);
  }

  close(): void {
    this.#search.abort();
    this.#over.abort();
  }

  async #fillGap(position: string): Promise<void> {
    const { signal } = this.#over;
    const missed = this.#missed;
    if (missed === undefined || (missed !== '' && position >= missed)) return;
    const answer = await this.#ask({ ...this.#query.listing, limit: this.#limit }, signal).catch(() => undefined);
    // If the request failed, the gap stays until the next call of `catchUp`.
    if (!answer || signal.aborted) return;
    if (missed === this.#missed) this.#missed = undefined;
    this.#position = answer.position;
    const page = pageOf(answer);
    if (touches(this.state.value.loaded, page)) this.take(page.items);
    else this.startOver();
  }

  async #readPages(signal: AbortSignal, enough: number): Promise<ReaderState['phase']> {
    for (let pages = 0; pages < pagesAtOnce; pages += 1) {
      const answer = await this.#ask({ ...this.#query.listing, limit: this.#limit, ...this.#next }, signal);
      if (signal.aborted) return 'paused';
      this.#takePage(answer);
      if (this.#position === undefined) {
        this.#position = answer.position;
        void this.#fillGap(answer.position);
      }
      const { events, isWhole } = this.state.value.loaded;
      if (isWhole || events.length >= enough) return 'resting';
    }
    return 'paused';
  }

  #takePage(answer: Listing): void {
    const { loaded, searched } = this.state.value;
    const { items, next_cursor } = answer;
    // A cursor is only valid with the `until` of its listing.
    if (next_cursor !== null) this.#next = { ...this.#next, cursor: next_cursor };
    this.#set({
      loaded: withPage(loaded, pageOf(answer), this.#matches),
      searched: searched + items.length,
    });
  }

  /** Events below the loaded range move no rows, so they are not held. */
  #hold(events: readonly DeploymentEvent[]): void {
    const { loaded, held, isBehind } = this.state.value;
    const known = new Set(loaded.events.map(({ id }) => id));
    const arrived = events.filter((event) => isInside(loaded, event) && !known.has(event.id));
    const older = events.filter((event) => !isInside(loaded, event));
    const all = merged(held, arrived);
    this.#set({
      loaded: withArrivals(loaded, older),
      held: all.slice(0, heldMax),
      isBehind: isBehind || all.length > heldMax,
    });
  }

  #show(events: readonly DeploymentEvent[]): void {
    const before = this.state.value.loaded;
    const after = withArrivals(before, events);
    if (after.events !== before.events) {
      const known = new Set(before.events.map(({ id }) => id));
      for (const { id } of events) if (!known.has(id)) this.#fresh.add(id);
    }
    // Don't cut while a page is being requested, because it wouldn't fit the cut range.
    const isOver = after.events.length > rowsMax && this.state.value.phase !== 'asking';
    this.#set({ loaded: isOver ? this.#cut(after) : after });
  }

  /** Later pages request the cut rows again by time. Rows of the last millisecond arrive twice and are shown once. */
  #cut(loaded: LoadedRange): LoadedRange {
    const range = cutTo(loaded, rowsAfterCut);
    const ids = new Set(range.events.map(({ id }) => id));
    for (const id of this.#fresh) if (!ids.has(id)) this.#fresh.delete(id);
    if (range.edge) this.#next = { until: new Date(Date.parse(range.edge.happened_at) + 1).toISOString() };
    return range;
  }

  readonly #matches = (event: DeploymentEvent): boolean => !this.#removed.has(event.id) && this.#query.wants(event);

  get #limit(): number {
    return this.#query.isFilteredHere ? filteredPageRows : pageRows;
  }

  #set(change: Partial<ReaderState>): void {
    if (!this.#over.signal.aborted) this.state.set({ ...this.state.value, ...change });
  }
}

function pageOf({ items, next_cursor }: DeploymentEventPage): Page {
  return { items, isLast: next_cursor === null };
}
