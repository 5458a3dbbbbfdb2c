import type { DeploymentEvent, DeploymentEventPage } from '@shiplog/contract';
import { Store } from '../state/store.ts';
import {
  cutTo,
  isInside,
  type LoadedRange,
  nothingLoaded,
  type Page,
  touches,
  withArrivals,
  withPage,
} from './loaded-range.ts';
import type { ListQuery, LogQuery } from './log-query.ts';
import { merged } from './order.ts';

/** A page, and the end of the log in the snapshot that it was read from; `''` = the service does not say. */
export interface Listing extends DeploymentEventPage {
  readonly position: string;
}

/** One call of the listing. */
export type Ask = (
  query: ListQuery & { readonly limit: number; readonly cursor?: string },
  signal: AbortSignal,
) => Promise<Listing>;

export interface ReaderState {
  readonly loaded: LoadedRange;
  /** `paused`: it was stopped, or has read as many pages as it may without being asked again. */
  readonly phase: 'resting' | 'asking' | 'paused' | 'failed';
  /** Why the last call failed. */
  readonly fault: unknown;
  /** The number of events that were read, wanted or not. */
  readonly lookedThrough: number;
  /** Wanted events that wait until the reader is at the top again. */
  readonly held: readonly DeploymentEvent[];
  /** More events arrived than were kept: the log has to be read from its newest event again. */
  readonly isBehind: boolean;
}

/** One call of `older` asks for at most so many pages, and is content with so many matches. */
const pagesAtOnce = 20;
const screenful = 30;
const pageRows = 100;
const filteredPageRows = 500;
const heldMax = 500;
/** A page that stays open grows with what arrives: above the first number it is cut to the second. */
const rowsMax = 2000;
const rowsKept = 1000;

const initial: ReaderState = {
  loaded: nothingLoaded,
  phase: 'resting',
  fault: undefined,
  lookedThrough: 0,
  held: [],
  isBehind: false,
};

/**
 * Reads the log backwards for one query, and takes in what arrives meanwhile.
 *
 * ```
 *   resting ──older──► asking ──enough, or the beginning──► resting
 *   paused ───older──►   │ ├──stopped, or pages enough──► paused
 *   failed ───older──►   │ └──no answer────────────────► failed
 * ```
 */
export class LogReader {
  readonly state = new Store<ReaderState>(initial);
  readonly #ask: Ask;
  readonly #query: LogQuery;
  /** Events that were removed from the log: a page that is on its way may still bring them. */
  readonly #removed = new Set<string>();
  /** Where the next older page begins. */
  #next: { readonly cursor?: string; readonly until?: string } = {};
  /** The log's end when its newest events were asked for; `undefined` before their answer. */
  #position: string | undefined;
  /** Events up to this one may be missing; `''` = up to which is not known. */
  #missed: string | undefined;
  #search = new AbortController();
  readonly #over = new AbortController();
  #holds = false;
  /** Arrived and not yet lit up. */
  readonly #fresh = new Set<string>();

  constructor(ask: Ask, query: LogQuery) {
    this.#ask = ask;
    this.#query = query;
  }

  /** Older events: as many pages as it takes for a screenful of wanted ones. */
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

  /** From the newest event again. */
  async reload(): Promise<void> {
    this.#search.abort();
    this.#next = {};
    this.#position = undefined;
    this.#fresh.clear();
    this.state.set(initial);
    await this.older();
  }

  /** Events as they come, wanted or not. */
  take(events: readonly DeploymentEvent[]): void {
    const wanted = events.filter(this.#wants);
    if (wanted.length === 0) return;
    if (this.#holds) this.#keep(wanted);
    else this.#show(wanted);
  }

  /** An event is gone from the log. */
  remove(id: string): void {
    this.#removed.add(id);
    const { loaded, held } = this.state.value;
    const isThere = (event: DeploymentEvent) => event.id !== id;
    if ([...loaded.events, ...loaded.early, ...held].every(isThere)) return;
    const [events, early] = [loaded.events.filter(isThere), loaded.early.filter(isThere)];
    this.#set({ loaded: { ...loaded, events, early }, held: held.filter(isThere) });
  }

  /** While it holds, arriving events wait, so that the list does not move under its reader. */
  hold(holds: boolean): void {
    this.#holds = holds;
    if (!holds) this.release();
  }

  /** Shows what waits. */
  release(): void {
    const { held, isBehind } = this.state.value;
    if (isBehind) void this.reload();
    else if (held.length > 0) {
      this.#set({ held: [] });
      this.#show(held);
    }
  }

  /** Events up to this one (`''` = not known which) may be missing: the newest page is asked for, unless it is here. */
  async catchUp(upTo: string): Promise<void> {
    this.#missed = upTo;
    if (this.#position !== undefined) await this.#fillGap(this.#position);
  }

  /** The loaded events are no longer those of the log. Whoever reads further down is asked first. */
  startOver(): void {
    if (this.#holds) this.#set({ isBehind: true });
    else void this.reload();
  }

  /** Whether an event has to light up; true only once. */
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
    // Without an answer the gap stays until events may be missing again.
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
    const { loaded, lookedThrough } = this.state.value;
    const { items, next_cursor } = answer;
    // The cursor goes with the bound that its listing was asked with.
    if (next_cursor !== null) this.#next = { ...this.#next, cursor: next_cursor };
    this.#set({
      loaded: withPage(loaded, pageOf(answer), this.#wants),
      lookedThrough: lookedThrough + items.length,
    });
  }

  /** Keeps events for later, but for those older than all that is shown, which move nothing. */
  #keep(events: readonly DeploymentEvent[]): void {
    const { loaded, held, isBehind } = this.state.value;
    const known = new Set(loaded.events.map(({ id }) => id));
    const news = events.filter((event) => isInside(loaded, event) && !known.has(event.id));
    const older = events.filter((event) => !isInside(loaded, event));
    const all = merged(held, news);
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
    // A page that is on its way would not fit the cut range.
    const isOver = after.events.length > rowsMax && this.state.value.phase !== 'asking';
    this.#set({ loaded: isOver ? this.#cut(after) : after });
  }

  /** What is cut off is asked for again by time. The rows of the last millisecond come twice and are shown once. */
  #cut(loaded: LoadedRange): LoadedRange {
    const kept = cutTo(loaded, rowsKept);
    const ids = new Set(kept.events.map(({ id }) => id));
    for (const id of this.#fresh) if (!ids.has(id)) this.#fresh.delete(id);
    if (kept.edge) this.#next = { until: new Date(Date.parse(kept.edge.happened_at) + 1).toISOString() };
    return kept;
  }

  readonly #wants = (event: DeploymentEvent): boolean => !this.#removed.has(event.id) && this.#query.wants(event);

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
