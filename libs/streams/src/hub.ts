import { chunkOf } from './frame.ts';
import type { Entry, Log, Page } from './log.ts';
import { RecentEntries } from './recent-entries.ts';

export interface Sink {
  write(chunk: Buffer): void;
  /** Bytes that were written but not yet received by the reader. */
  readonly backlogBytes: number;
  readonly closed: boolean;
  /** Resolves when the reader has received everything, or the connection is closed. */
  drained(): Promise<void>;
  /** Cuts the connection. */
  destroy(): void;
}

/** A reader at the head of a log, as the hub sees it. */
export interface LiveReader {
  /** The filter. If `undefined`, the reader gets every entry. */
  readonly filter: string | undefined;
  readonly sink: Sink;
  /** Everything up to this id was written or filtered out. The hub's position applies if it is greater. */
  position: string;
  /** Don't send this reader entries that were read before this number of removals. */
  readonly removals: bigint;
  /** Serves the reader from its position after the hub has dropped it. */
  run(): Promise<void>;
}

/** Observes reads for live readers; each member is optional. */
export interface HubObserver {
  /** Called before a page of the log is read. */
  readonly onRead?: () => void;
  /** Called when a read of the log has failed; the read is retried at the next notice or poll. */
  readonly onError?: (error: unknown) => void;
  /** Called when a page was sent to live readers. */
  readonly onDispatch?: (page: Page) => void;
}

interface HubOptions extends HubObserver {
  readonly log: Log;
  /**
   * How often the log is read even without a notification. Limits the delay if notifications are lost (reading 6.8).
   */
  readonly pollMs: number;
  /**
   * Called before a page is sent. Returns a function to call after each reader; if that returns a promise, await it.
   */
  readonly turns?: () => () => Promise<void> | undefined;
  /** Waits after a page if more entries arrived in the meantime. `workedMs` excludes waits. */
  readonly pause?: (workedMs: number) => Promise<void>;
}

/** A live reader with more unsent bytes than this returns to reading the log. */
const backlogBytesMax = 64 * 1024;
const recentBounds = { entriesMax: 1024, charactersMax: 1024 * 1024 };

/**
 * The head of one log, shared by all its live readers: reads new rows once per notice and writes one chunk per filter
 * to every connection. Without readers, it does not read.
 *
 * A reader that is a few rows behind gets the recent entries when it joins, without another read. Joining is
 * synchronous, so no row between the reader's position and the hub's first entry is lost.
 */
export class Hub {
  readonly #options: HubOptions;
  readonly #groups = new Map<string | undefined, Set<LiveReader>>();
  readonly #waiting = new Set<() => void>();
  #position = '';
  /** The number of removals at the last page; all recent entries were read with this number. */
  #removals = 0n;
  #recent = new RecentEntries(recentBounds, '');
  #reading = false;
  #noticed = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: HubOptions) {
    this.#options = options;
  }

  get readerCount(): number {
    return [...this.#groups.values()].reduce((count, group) => count + group.size, 0);
  }

  start(): void {
    this.#timer ??= setInterval(() => this.wake(), this.#options.pollMs);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#release();
  }

  /** Call this when there may be new entries. It is cheap, and safe at any time. */
  wake(): void {
    this.#noticed = true;
    if (!this.#reading && this.#groups.size > 0) void this.#readOn();
    this.#release();
  }

  /**
   * Makes a reader live if there is no entry between its position and the hub's. `atHead`: the reader's last page
   * reached the end of the log; the first reader sets the hub's position with it.
   */
  join(reader: LiveReader, atHead: boolean): boolean {
    if (this.#groups.size === 0) {
      if (!atHead) return false;
      this.#position = reader.position;
      this.#removals = reader.removals;
      this.#recent = new RecentEntries(recentBounds, reader.position);
    } else if (reader.removals > this.#removals) {
      // An entry that the hub holds or is reading may have been removed. The hub's next page is up to date.
      this.wake();
      return false;
    } else if (!this.#recent.reachBackTo(reader.position)) {
      return false;
    }
    write(reader, this.#selected(this.#recent.after(reader.position), reader.filter));
    this.#keepUp(reader);
    const group = this.#groups.get(reader.filter) ?? new Set();
    group.add(reader);
    this.#groups.set(reader.filter, group);
    // The log may have grown since the reader's page was read, and without readers the hub ignores notifications.
    this.wake();
    return true;
  }

  leave(reader: LiveReader): void {
    const group = this.#groups.get(reader.filter);
    group?.delete(reader);
    if (group?.size === 0) this.#groups.delete(reader.filter);
  }

  /**
   * Runs a read. After a failure, waits for the next notification or poll and returns `undefined`; the caller should
   * retry.
   */
  async attempt<Result>(read: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await read();
    } catch (error) {
      this.#options.onError?.(error);
      await new Promise<void>((resolve) => this.#waiting.add(resolve));
      return undefined;
    }
  }

  #release(): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const resolve of waiting) resolve();
  }

  async #readOn(): Promise<void> {
    const { log, onRead, onError, pause } = this.#options;
    this.#reading = true;
    try {
      let behind = true;
      while ((behind || this.#noticed) && this.#groups.size > 0) {
        this.#noticed = false;
        const from = this.#position;
        const removals = this.#removals;
        onRead?.();
        const page = await log.read(from, undefined);
        behind = !page.atHead;
        // During the read, the last reader may have left and another may have restarted the hub at another position.
        if (from !== this.#position || removals !== this.#removals) {
          behind = true;
          continue;
        }
        const workedMs = await this.#dispatch(page);
        // Send a single entry immediately, because a pause would only delay it.
        if (behind || this.#noticed) await pause?.(workedMs);
      }
    } catch (error) {
      onError?.(error);
    } finally {
      this.#reading = false;
    }
  }

  /** Sends a page and returns the milliseconds of work. Between turns, readers may leave or join with the page. */
  async #dispatch(page: Page): Promise<number> {
    const from = this.#position;
    const { removals = 0n } = page;
    if (removals !== this.#removals) this.#recent = new RecentEntries(recentBounds, from);
    this.#removals = removals;
    this.#position = page.position;
    if (page.entries.length === 0) return 0;
    this.#recent.add(page.entries);
    let since = performance.now();
    let workedMs = 0;
    const turn = this.#options.turns?.();
    for (const [filter, group] of this.#groups) {
      const entries = this.#selected(page.entries, filter);
      if (entries.length === 0) continue;
      const chunk = chunkOf(entries);
      for (const reader of group) {
        // A reader that read a later page than the hub gets only the entries that it has not seen.
        if (reader.position > from) write(reader, entries);
        else reader.sink.write(chunk);
        if (reader.sink.backlogBytes > backlogBytesMax) this.#drop(reader);
        const others = turn?.();
        if (!others) continue;
        workedMs += performance.now() - since;
        await others;
        since = performance.now();
        // All readers may have left, and a new reader may have restarted the hub at another position. Then the hub
        // reads the page again.
        if (this.#position !== page.position) return workedMs;
      }
    }
    this.#options.onDispatch?.(page);
    return workedMs + performance.now() - since;
  }

  #drop(reader: LiveReader): void {
    this.#keepUp(reader);
    this.leave(reader);
    void reader.sink.drained().then(() => reader.run());
  }

  /** The position of a live reader: it has everything that the hub has sent. */
  #keepUp(reader: LiveReader): void {
    if (reader.position < this.#position) reader.position = this.#position;
  }

  #selected(entries: readonly Entry[], filter: string | undefined): readonly Entry[] {
    return filter === undefined ? entries : entries.filter((entry) => this.#options.log.passes(filter, entry.key));
  }
}

/** Writes the entries that a reader does not have yet. */
function write({ position, sink }: LiveReader, entries: readonly Entry[]): void {
  const unseen = entries.filter((entry) => entry.id > position);
  if (unseen.length > 0) sink.write(chunkOf(unseen));
}
