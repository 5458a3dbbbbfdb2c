import { chunkOf, type Entry, type Log, type Page } from './log.ts';
import { RecentEntries } from './recent-entries.ts';

/** Where a reader is written to: one connection. */
export interface Sink {
  write(chunk: Buffer): void;
  /** Bytes that were written and that the reader has not taken yet. */
  readonly backlogBytes: number;
  readonly closed: boolean;
  /** Resolves when the reader has taken everything, or the connection is closed. */
  drained(): Promise<void>;
  /** Cuts the connection. */
  destroy(): void;
}

/** A reader at the head of a log, as the hub sees it. */
export interface LiveReader {
  /** `undefined`: it gets every entry. */
  readonly filter: string | undefined;
  readonly sink: Sink;
  /** Everything up to this id has been written or was filtered out. The hub's position counts if it is greater. */
  position: string;
  /** It must not be handed what was read before so many removals. */
  readonly removals: bigint;
  /** Serves the reader from its position, once the hub has let go of it. */
  run(): Promise<void>;
}

export interface HubOptions {
  readonly log: Log;
  /** How often the log is read even without a notice: what bounds delivery while notices are lost (reading 6.8). */
  readonly pollMs: number;
  /** Told of every page that is read. */
  readonly onRead?: () => void;
  /** Told of every failed read of the log; it is tried again with the next notice or poll. */
  readonly onError: (error: unknown) => void;
  /** Told of every page that was handed to live readers. */
  readonly onDispatch?: (page: Page) => void;
  /** Begins to hand a page out; what it gives is asked after each reader, and waited for where others shall have a turn. */
  readonly turns?: () => () => Promise<void> | undefined;
  /** Waits after a page when more entries came during the work on it, which took this long without its waits. */
  readonly pause?: (workedMs: number) => Promise<void>;
}

/** A live reader whose connection holds more than this goes back to reading the log. */
const backlogBytesMax = 64 * 1024;
const recentBounds = { entriesMax: 1024, charactersMax: 1024 * 1024 };

/**
 * The head of one log, shared by all its live readers: reads new rows once per notice, and writes one chunk per filter
 * to every connection. It reads nothing while nobody listens.
 *
 * The newest entries are kept, so that a reader that comes from the log a few rows behind the hub joins without another
 * read. Joining is synchronous: no row can slip between "you have everything up to here" and "you get what comes".
 */
export class Hub {
  readonly #options: HubOptions;
  readonly #groups = new Map<string | undefined, Set<LiveReader>>();
  readonly #waiting = new Set<() => void>();
  #position = '';
  /** The removals of the page that was read last; all recent entries were read with the same number. */
  #removals = 0n;
  #recent = new RecentEntries(recentBounds, '');
  #reading = false;
  #noticed = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: HubOptions) {
    this.#options = options;
  }

  get readerCount(): number {
    let count = 0;
    for (const group of this.#groups.values()) count += group.size;
    return count;
  }

  start(): void {
    this.#timer ??= setInterval(() => this.wake(), this.#options.pollMs);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#release();
  }

  /** A notice came, or something else suggests that there is news. Cheap and never wrong to call. */
  wake(): void {
    this.#noticed = true;
    if (!this.#reading && this.#groups.size > 0) void this.#readOn();
    this.#release();
  }

  /**
   * Makes a reader live if nothing lies between its position and the hub's. `atHead` says that the reader's own last
   * page reached the end of the log: the first reader takes the hub to its position with that.
   */
  join(reader: LiveReader, atHead: boolean): boolean {
    if (this.#groups.size === 0) {
      if (!atHead) return false;
      this.#position = reader.position;
      this.#removals = reader.removals;
      this.#recent = new RecentEntries(recentBounds, reader.position);
    } else if (reader.removals > this.#removals) {
      // An entry that the hub holds, or is reading, may be gone; its next page has none that are.
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
    // The log may have grown between the reader's page and this moment, and its notice was for nobody then.
    this.wake();
    return true;
  }

  leave(reader: LiveReader): void {
    const group = this.#groups.get(reader.filter);
    if (!group?.delete(reader)) return;
    if (group.size === 0) this.#groups.delete(reader.filter);
  }

  /** Reads; a failure is told, and `undefined` comes with the next notice or poll: the time to try again. */
  async attempt<Result>(read: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await read();
    } catch (error) {
      this.#options.onError(error);
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
        // While the read was under way, the last reader may have left and another may have started the hub elsewhere.
        if (from !== this.#position || removals !== this.#removals) {
          behind = true;
          continue;
        }
        const workedMs = await this.#dispatch(page);
        // An entry that comes alone is handed out at once: a pause would delay it and put nothing together.
        if (behind || this.#noticed) await pause?.(workedMs);
      }
    } catch (error) {
      onError(error);
    } finally {
      this.#reading = false;
    }
  }

  /**
   * Hands a page out; gives the milliseconds that it worked. Between two turns readers may join, who have the page by
   * then, and leave.
   */
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
        // A reader whose page came after the hub's is ahead of it and gets only what it has not seen.
        if (reader.position > from) write(reader, entries);
        else reader.sink.write(chunk);
        if (reader.sink.backlogBytes > backlogBytesMax) this.#letGo(reader);
        const others = turn?.();
        if (!others) continue;
        workedMs += performance.now() - since;
        await others;
        since = performance.now();
        // All may have left, and another reader may have started the hub elsewhere: the page is read for it again.
        if (this.#position !== page.position) return workedMs;
      }
    }
    this.#options.onDispatch?.(page);
    return workedMs + performance.now() - since;
  }

  #letGo(reader: LiveReader): void {
    this.#keepUp(reader);
    this.leave(reader);
    void reader.sink.drained().then(() => reader.run());
  }

  /** A live reader has what the hub has handed out. */
  #keepUp(reader: LiveReader): void {
    if (reader.position < this.#position) reader.position = this.#position;
  }

  #selected(entries: readonly Entry[], filter: string | undefined): readonly Entry[] {
    return filter === undefined ? entries : entries.filter((entry) => this.#options.log.passes(filter, entry.key));
  }
}

/** Writes those of some entries that a reader has not got yet. */
function write({ position, sink }: LiveReader, entries: readonly Entry[]): void {
  const unseen = entries.filter((entry) => entry.id > position);
  if (unseen.length > 0) sink.write(chunkOf(unseen));
}
