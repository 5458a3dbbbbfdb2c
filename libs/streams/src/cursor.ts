import type { Hub, LiveReader, Sink } from './hub.ts';
import type { Pages } from './shared-pages.ts';

interface CursorOptions {
  readonly pages: Pages;
  readonly hub: Hub;
  readonly sink: Sink;
  /** The reader has every entry up to this id. */
  readonly position: string;
  /** Rows up to this id may have been removed from the log. */
  readonly removed: string;
  /** `LogBounds.removals` when its connection was opened. */
  readonly removals: bigint;
  readonly filter: string | undefined;
}

/**
 * One reader of a log. While it is behind the head, it reads pages of the log as fast as its connection accepts them.
 * At the head it joins the hub, which sends it new entries. If its connection can't keep up, the hub drops it, and it
 * is behind again. So a slow reader never holds more than one page and the hub's limit in memory.
 *
 * ```
 *            page reached the head          backlog over the limit
 *  behind ─────────────────────────► live ─────────────────────────► behind
 * ```
 */
export class Cursor implements LiveReader {
  readonly filter: string | undefined;
  readonly sink: Sink;
  position: string;
  removals: bigint;
  readonly #options: CursorOptions;

  constructor(options: CursorOptions) {
    this.#options = options;
    this.filter = options.filter;
    this.sink = options.sink;
    this.position = options.position;
    this.removals = options.removals;
  }

  /** Serves the reader until it is live or has disconnected. Never rejects; failed reads are retried. */
  async run(): Promise<void> {
    const { pages, hub, removed } = this.#options;
    const isOpen = () => !this.sink.closed;
    let atHead = false;
    let isOutdated = false;
    while (isOpen()) {
      // The hub may still hold entries that were removed from the log, so a reconnecting reader reads the log.
      if (this.position >= removed && hub.join(this, atHead)) return;
      const page = await hub.attempt(() => pages.read(this.position, this.filter, isOpen));
      if (page?.gap) this.sink.destroy();
      if (!page || page.gap) continue;
      const { removals = 0n } = page;
      // Another reader may have requested this shared page before a removal; reading it again returns current entries.
      isOutdated = !isOutdated && removals < this.removals;
      if (isOutdated) continue;
      this.removals = removals;
      this.position = page.position;
      atHead = page.atHead;
      if (page.entries.length === 0) continue;
      this.sink.write(page.chunk);
      await this.sink.drained();
    }
  }

  /** The connection is gone: stop writing to it. */
  close(): void {
    this.#options.hub.leave(this);
  }
}
