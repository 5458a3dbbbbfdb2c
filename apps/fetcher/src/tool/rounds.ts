const newsMs = 24 * 3_600_000;
const refusedMs = 3_600_000;
const failuresMax = 3;

interface Place {
  /** The last attempt, with or without success. */
  triedMs: number;
  lookedMs: number | undefined;
  newsMs: number;
  refused: boolean;
}

/**
 * The places of a source (repositories, projects) and whose turn it is: those with news in 24 hours first, then those
 * that have waited longest, so that none starves where a cycle does not reach all; refused ones hourly (fetcher §7).
 * Instants are those of the tool's clock.
 */
export class Rounds {
  readonly #places = new Map<string, Place>();
  #failuresInARow = 0;

  /** What is known of places that stay is kept. */
  set(names: Iterable<string>): void {
    const kept = new Set(names);
    for (const name of this.#places.keys()) if (!kept.has(name)) this.#places.delete(name);
    for (const name of kept) {
      if (this.#places.has(name)) continue;
      const never = Number.NEGATIVE_INFINITY;
      this.#places.set(name, { triedMs: never, lookedMs: undefined, newsMs: never, refused: false });
    }
  }

  has(name: string): boolean {
    return this.#places.has(name);
  }

  get names(): string[] {
    return [...this.#places.keys()];
  }

  /** At the beginning of each cycle: the names in their order. */
  begin(nowMs: number): string[] {
    this.#failuresInARow = 0;
    const hasNews = (place: Place) => nowMs - place.newsMs < newsMs;
    return [...this.#places]
      .filter(([, place]) => !place.refused || nowMs - place.triedMs >= refusedMs)
      .sort(([, one], [, other]) => Number(hasNews(other)) - Number(hasNews(one)) || one.triedMs - other.triedMs)
      .map(([name]) => name);
  }

  looked(name: string, nowMs: number, hasNews: boolean): void {
    this.#failuresInARow = 0;
    this.#update(name, { triedMs: nowMs, lookedMs: nowMs, refused: false, ...(hasNews && { newsMs: nowMs }) });
  }

  refused(name: string, nowMs: number): void {
    this.#failuresInARow = 0;
    this.#update(name, { triedMs: nowMs, refused: true });
  }

  /** The tool gave a usable answer to something else than a look: failures before it are not in a row with others. */
  answered(): void {
    this.#failuresInARow = 0;
  }

  /** The tool gave no usable answer for a place; true where that is so of three places in a row, or of all there are. */
  failed(name: string, nowMs: number): boolean {
    this.#update(name, { triedMs: nowMs });
    this.#failuresInARow += 1;
    return this.#failuresInARow >= Math.min(failuresMax, this.#places.size);
  }

  isRefused(name: string): boolean {
    return this.#places.get(name)?.refused === true;
  }

  /** By code point. */
  get refusedNames(): string[] {
    return [...this.#places].flatMap(([name, { refused }]) => (refused ? [name] : [])).sort();
  }

  /** The oldest of the last looks; `undefined` until each place that is not refused was looked at. */
  get oldestLookMs(): number | undefined {
    const open = [...this.#places.values()].filter(({ refused }) => !refused);
    if (open.length === 0 || open.some(({ lookedMs }) => lookedMs === undefined)) return undefined;
    return Math.min(...open.map(({ lookedMs }) => lookedMs ?? 0));
  }

  #update(name: string, change: Partial<Place>): void {
    const place = this.#places.get(name);
    if (place) Object.assign(place, change);
  }
}
