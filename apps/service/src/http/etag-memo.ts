/** The validator of one answer, and the state of the log that it was computed from. */
export interface KnownEtag {
  readonly tick: string;
  readonly etag: string;
}

const entriesMax = 1000;

/**
 * Which ETag an answer had at which tick of the log. While the tick is the same, so is the answer, and a 304 needs no
 * computing. This is no cache of state: an instance that has lost it computes the answer and comes to the same ETag.
 */
export class EtagMemo {
  readonly #entries = new Map<string, KnownEtag>();

  get(key: string): KnownEtag | undefined {
    return this.#entries.get(key);
  }

  /** Keeps the newest entries; the one that was set longest ago goes first. */
  set(key: string, entry: KnownEtag): void {
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    if (this.#entries.size > entriesMax) {
      const [oldest] = this.#entries.keys();
      if (oldest !== undefined) this.#entries.delete(oldest);
    }
  }
}
