import type { DeploymentEvent, DeploymentEventPage } from '@shiplog/contract';
import { Store } from '../state/store.ts';
import { cutTo, type LoadedRange, nothingLoaded, type Page, touches, withArrivals, withPage } from './loaded-range.ts';
import { type ListQuery, type LogQuery, momentAfter } from './log-query.ts';

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
  readonly phase: 'resting' | 'asking' | 'failed';
  readonly fault: unknown;
}

const pageRows = 100;
/** As events arrive, a list of more than `rowsMax` rows is cut to `rowsAfterCut`. */
const rowsMax = 2000;
const rowsAfterCut = 1000;

const initial: ReaderState = { loaded: nothingLoaded, phase: 'resting', fault: undefined };

/**
 * Reads the log for one query from the newest event back, and adds events that arrive meanwhile.
 *
 * ```
 *   resting ──older──► asking ──answered───► resting
 *   failed ───older──►    └─────no answer──► failed
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
  #asking = new AbortController();
  readonly #over = new AbortController();
  readonly #fresh = new Set<string>();

  constructor(ask: Ask, query: LogQuery) {
    this.#ask = ask;
    this.#query = query;
  }

  /** Reads the next page of older events. */
  async older(): Promise<void> {
    const { phase, loaded } = this.state.value;
    if (phase === 'asking' || loaded.isWhole) return;
    this.#asking = new AbortController();
    const { signal } = this.#asking;
    this.#set({ phase: 'asking', fault: undefined });
    try {
      const answer = await this.#ask({ ...this.#query.listing, limit: pageRows, ...this.#next }, signal);
      if (signal.aborted) return;
      this.#takePage(answer);
      if (this.#position === undefined) {
        this.#position = answer.position;
        void this.#fillGap(answer.position);
      }
      this.#set({ phase: 'resting' });
    } catch (fault) {
      if (!signal.aborted) this.#set({ phase: 'failed', fault });
    }
  }

  async reload(): Promise<void> {
    this.#asking.abort();
    this.#next = {};
    this.#position = undefined;
    this.#fresh.clear();
    this.state.set(initial);
    await this.older();
  }

  /** Adds events that arrived, matching or not. */
  take(events: readonly DeploymentEvent[]): void {
    const matching = events.filter(this.#matches);
    if (matching.length > 0) this.#show(matching);
  }

  remove(id: string): void {
    this.#removed.add(id);
    const { loaded } = this.state.value;
    const isThere = (event: DeploymentEvent) => event.id !== id;
    if ([...loaded.events, ...loaded.early].every(isThere)) return;
    const [events, early] = [loaded.events.filter(isThere), loaded.early.filter(isThere)];
    this.#set({ loaded: { ...loaded, events, early } });
  }

  /** Requests the newest page unless the reader has the event `upTo`; `''` = the missing events are unknown. */
  async catchUp(upTo: string): Promise<void> {
    this.#missed = upTo;
    if (this.#position !== undefined) await this.#fillGap(this.#position);
  }

  /** Whether to highlight an event; true only on the first call. */
  isFresh(id: string): boolean {
    return this.#fresh.delete(id);
  }

  close(): void {
    this.#asking.abort();
    this.#over.abort();
  }

  async #fillGap(position: string): Promise<void> {
    const { signal } = this.#over;
    const missed = this.#missed;
    if (missed === undefined || (missed !== '' && position >= missed)) return;
    const answer = await this.#ask({ ...this.#query.listing, limit: pageRows }, signal).catch(() => undefined);
    // If the request failed, the gap stays until the next call of `catchUp`.
    if (!answer || signal.aborted) return;
    if (missed === this.#missed) this.#missed = undefined;
    this.#position = answer.position;
    const page = pageOf(answer);
    if (touches(this.state.value.loaded, page)) this.take(page.items);
    else void this.reload();
  }

  #takePage(answer: Listing): void {
    const { loaded } = this.state.value;
    const { next_cursor } = answer;
    // A cursor is only valid with the `until` of its listing.
    if (next_cursor !== null) this.#next = { ...this.#next, cursor: next_cursor };
    this.#set({ loaded: withPage(loaded, pageOf(answer), this.#matches) });
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
    if (range.edge) this.#next = { until: momentAfter(range.edge.happened_at) };
    return range;
  }

  readonly #matches = (event: DeploymentEvent): boolean => !this.#removed.has(event.id) && this.#query.wants(event);

  #set(change: Partial<ReaderState>): void {
    if (!this.#over.signal.aborted) this.state.set({ ...this.state.value, ...change });
  }
}

function pageOf({ items, next_cursor }: DeploymentEventPage): Page {
  return { items, isLast: next_cursor === null };
}
