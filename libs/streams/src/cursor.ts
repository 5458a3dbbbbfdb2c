import type { Hub } from './hub.ts';
import type { Log } from './log.ts';
import type { Sink } from './sink.ts';

export interface CursorOptions {
  readonly log: Log;
  readonly hub: Hub;
  readonly sink: Sink;
  /** The reader has everything up to this id. */
  readonly position: string;
  /** Rows up to this id may have been removed from the log. */
  readonly removed: string;
  readonly filter: string | undefined;
}

/**
 * One reader of a log: a position and a filter.
 *
 * Behind the head it reads pages from the table, at the pace its connection takes them. At the head it joins the hub,
 * which hands it what is new. When its connection cannot keep up, the hub lets go of it and it is behind again. So
 * replay, live delivery and back-pressure are one loop, and a reader never holds more than one page and the hub's
 * bound in memory, however slow it is.
 *
 * ```
 *            page reached the head          backlog over the bound
 *  behind ─────────────────────────► live ─────────────────────────► behind
 * ```
 */
export class Cursor {
  readonly filter: string | undefined;
  readonly sink: Sink;
  /** Everything up to this id has been written or was filtered out. While live, the hub's position counts if greater. */
  position: string;
  readonly #log: Log;
  readonly #hub: Hub;
  readonly #removed: string;

  constructor(options: CursorOptions) {
    this.#log = options.log;
    this.#hub = options.hub;
    this.sink = options.sink;
    this.position = options.position;
    this.filter = options.filter;
    this.#removed = options.removed;
  }

  /** Serves the reader from its position until it is live or gone. Never rejects: a failing read is tried again. */
  async run(): Promise<void> {
    let atHead = false;
    while (!this.sink.closed) {
      // What the hub has sent a moment ago may be gone from the log; the table decides for whoever was away.
      if (this.position >= this.#removed && this.#hub.join(this, atHead)) return;
      const page = await this.#hub.attempt(() => this.#log.read(this.position, this.filter));
      if (!page) continue;
      this.position = page.position;
      atHead = page.atHead;
      if (page.entries.length === 0) continue;
      this.sink.write(this.#hub.chunkOf(page));
      await this.sink.drained();
    }
  }

  /** The connection is gone: nothing is written to it any more. */
  close(): void {
    this.#hub.leave(this);
  }
}
