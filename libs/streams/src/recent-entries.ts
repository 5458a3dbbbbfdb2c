import type { Entry } from './log.ts';

interface RecentBounds {
  readonly entriesMax: number;
  /** The maximum total length of the frames, in characters. */
  readonly charactersMax: number;
}

/** The newest entries of a log, up to the limits. */
export class RecentEntries {
  readonly #bounds: RecentBounds;
  #entries: Entry[] = [];
  #characters = 0;
  #from: string;

  /** @param from the end of the log; no later entry is stored yet. */
  constructor(bounds: RecentBounds, from: string) {
    this.#bounds = bounds;
    this.#from = from;
  }

  add(entries: readonly Entry[]): void {
    const { entriesMax, charactersMax } = this.#bounds;
    this.#entries.push(...entries);
    for (const { frame } of entries) this.#characters += frame.length;
    let excess = 0;
    while (this.#entries.length - excess > entriesMax || this.#characters > charactersMax) {
      const oldest = this.#entries[excess];
      if (!oldest) break;
      this.#characters -= oldest.frame.length;
      this.#from = oldest.id;
      excess += 1;
    }
    if (excess > 0) this.#entries.splice(0, excess);
  }

  /** Whether every entry after a position is held. */
  reachBackTo(position: string): boolean {
    return position >= this.#from;
  }

  after(position: string): Entry[] {
    let start = this.#entries.length;
    while (start > 0 && (this.#entries[start - 1]?.id ?? '') > position) start -= 1;
    return this.#entries.slice(start);
  }
}
