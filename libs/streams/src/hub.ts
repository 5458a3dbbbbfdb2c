import type { Cursor } from './cursor.ts';
import type { Entry, Log, Page } from './log.ts';

export interface HubOptions {
  readonly log: Log;
  /** How often the table is read even without a notice: what bounds delivery when notices are lost (reading 6.8). */
  readonly pollMs: number;
  /** Told of every failed read; the hub itself goes on and tries again after `pollMs`. */
  readonly onError: (error: unknown) => void;
  /** Told of every page that was handed to live cursors. */
  readonly onDispatch?: (page: Page) => void;
  /** Resolves when there is time for another page, after one whose handing out took so long. */
  readonly breathe?: (tookMs: number) => Promise<void>;
}

/** A live reader whose connection holds more than this goes back to reading the table. */
const backlogBytesMax = 64 * 1024;
const recentEntriesMax = 1024;
const recentBytesMax = 1024 * 1024;

/**
 * The head of one log, shared by all its live cursors: reads new rows once per notice, serialises them once, and
 * writes one chunk per filter to each connection. It reads nothing while nobody listens.
 *
 * The newest entries are kept for a moment (bounded above), so that a cursor that comes from the table a few rows
 * behind the hub can join without another read. Joining is synchronous: between "you have everything up to here" and
 * "you get what comes" no row can slip through.
 */
export class Hub {
  readonly #options: HubOptions;
  readonly #groups = new Map<string | undefined, Set<Cursor>>();
  readonly #waiting = new Set<() => void>();
  readonly #chunks = new WeakMap<Page, Buffer>();
  #position = '';
  /** Every entry after `#recentFrom` up to `#position`. */
  #recent: Entry[] = [];
  #recentBytes = 0;
  #recentFrom = '';
  #reading = false;
  #noticed = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: HubOptions) {
    this.#options = options;
  }

  get cursorCount(): number {
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
   * Makes a cursor live if nothing lies between its position and the hub's. `atHead` says that the cursor's own last
   * page reached the end of the table: the first cursor takes the hub to its position with that.
   */
  join(cursor: Cursor, atHead: boolean): boolean {
    if (this.#groups.size === 0) {
      if (!atHead) return false;
      this.#position = cursor.position;
      this.#recentFrom = cursor.position;
      this.#recent = [];
      this.#recentBytes = 0;
    } else if (cursor.position < this.#recentFrom) {
      return false;
    }
    this.#write(cursor, this.#selected(this.#recent, cursor.filter), undefined);
    if (cursor.position < this.#position) cursor.position = this.#position;
    const group = this.#groups.get(cursor.filter) ?? new Set();
    group.add(cursor);
    this.#groups.set(cursor.filter, group);
    // The table may have grown between the cursor's read and this moment, and its notice was for nobody then.
    this.wake();
    return true;
  }

  leave(cursor: Cursor): void {
    const group = this.#groups.get(cursor.filter);
    if (!group?.delete(cursor)) return;
    if (group.size === 0) this.#groups.delete(cursor.filter);
  }

  /** Runs a read; when it fails, reports it and waits for the next poll or notice before giving the turn back. */
  async attempt<Result>(read: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await read();
    } catch (error) {
      this.#options.onError(error);
      await new Promise<void>((resolve) => this.#waiting.add(resolve));
      return undefined;
    }
  }

  /** The frames of a page as bytes, made once for all who are handed the same page. */
  chunkOf(page: Page): Buffer {
    const chunk = this.#chunks.get(page) ?? chunkOf(page.entries);
    this.#chunks.set(page, chunk);
    return chunk;
  }

  #release(): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const resolve of waiting) resolve();
  }

  async #readOn(): Promise<void> {
    this.#reading = true;
    try {
      let behind = true;
      while ((behind || this.#noticed) && this.#groups.size > 0) {
        this.#noticed = false;
        const from = this.#position;
        const page = await this.#options.log.read(from, undefined);
        behind = !page.atHead;
        // While the read was under way, the last cursor may have left and another may have started the hub elsewhere.
        if (from !== this.#position) {
          behind = true;
          continue;
        }
        const startedAt = performance.now();
        this.#dispatch(page);
        await this.#options.breathe?.(performance.now() - startedAt);
      }
    } catch (error) {
      this.#options.onError(error);
    } finally {
      this.#reading = false;
    }
  }

  #dispatch(page: Page): void {
    const from = this.#position;
    this.#position = page.position;
    if (page.entries.length === 0) return;
    this.#remember(page.entries);
    for (const [filter, group] of this.#groups) {
      const entries = this.#selected(page.entries, filter);
      if (entries.length === 0) continue;
      const chunk = chunkOf(entries);
      for (const cursor of group) {
        // A cursor that read the table after the hub did is ahead of it and gets only what it has not seen.
        this.#write(cursor, entries, cursor.position > from ? undefined : chunk);
        if (cursor.sink.backlogBytes > backlogBytesMax) this.#letGo(cursor);
      }
    }
    this.#options.onDispatch?.(page);
  }

  #letGo(cursor: Cursor): void {
    if (cursor.position < this.#position) cursor.position = this.#position;
    this.leave(cursor);
    void cursor.sink.drained().then(() => cursor.run());
  }

  #write(cursor: Cursor, entries: readonly Entry[], chunk: Buffer | undefined): void {
    const unseen = chunk ?? chunkOf(entries.filter((entry) => entry.id > cursor.position));
    if (unseen.length > 0) cursor.sink.write(unseen);
  }

  #selected(entries: readonly Entry[], filter: string | undefined): readonly Entry[] {
    return filter === undefined ? entries : entries.filter((entry) => this.#options.log.passes(filter, entry.key));
  }

  #remember(entries: readonly Entry[]): void {
    this.#recent.push(...entries);
    for (const entry of entries) this.#recentBytes += entry.frame.length;
    let excess = 0;
    while (this.#recent.length - excess > recentEntriesMax || this.#recentBytes > recentBytesMax) {
      const oldest = this.#recent[excess];
      if (!oldest) break;
      this.#recentBytes -= oldest.frame.length;
      this.#recentFrom = oldest.id;
      excess += 1;
    }
    if (excess > 0) this.#recent.splice(0, excess);
  }
}

function chunkOf(entries: readonly Entry[]): Buffer {
  return Buffer.from(entries.map((entry) => entry.frame).join(''));
}
