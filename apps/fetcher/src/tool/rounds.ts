const newsMs = 24 * 3_600_000;
const refusedMs = 3_600_000;

/** The parts of polling a place, each of which may fail on its own. */
export type Part = 'list' | 'open' | 'past';

interface Place {
  triedMs: number;
  lookedMs: number | undefined;
  newsMs: number;
  refused: boolean;
  gone: boolean;
  readonly failing: Map<Part, Failing>;
}

/**
 * The places of a source (repositories, projects) in the order of polling: first those with changes in the last 24 hours,
 * then those that waited longest, so that none starves if a cycle doesn't reach all. Failing ones come last and ever more
 * rarely, so that they delay no other; inaccessible ones hourly (fetcher §7). Instants are those of the tool's clock.
 */
export class Rounds {
  readonly #places = new Map<string, Place>();

  set(names: Iterable<string>): void {
    const kept = new Set(names);
    for (const name of this.#places.keys()) if (!kept.has(name)) this.#places.delete(name);
    for (const name of kept) {
      if (this.#places.has(name)) continue;
      const never = Number.NEGATIVE_INFINITY;
      const place = {
        triedMs: never,
        lookedMs: undefined,
        newsMs: never,
        refused: false,
        gone: false,
        failing: new Map(),
      };
      this.#places.set(name, place);
    }
  }

  has(name: string): boolean {
    return this.#places.has(name);
  }

  get names(): string[] {
    return [...this.#places.keys()];
  }

  get size(): number {
    return this.#places.size;
  }

  /** The names in the order of polling, at the beginning of a cycle. */
  begin(nowMs: number): string[] {
    const hasNews = (place: Place) => nowMs - place.newsMs < newsMs;
    const fails = (place: Place) => place.failing.has('list');
    // If all fail, the source waits instead.
    const areAllFailing = this.fault !== undefined;
    return [...this.#places]
      .filter(([, place]) => !place.refused || nowMs - place.triedMs >= refusedMs)
      .filter(([name]) => areAllFailing || !this.isWaiting(name, 'list', nowMs))
      .sort(
        ([, one], [, other]) =>
          Number(fails(one)) - Number(fails(other)) ||
          Number(hasNews(other)) - Number(hasNews(one)) ||
          one.triedMs - other.triedMs,
      )
      .map(([name]) => name);
  }

  looked(name: string, nowMs: number, hasNews: boolean): void {
    this.worked(name, 'list');
    this.#update(name, {
      triedMs: nowMs,
      lookedMs: nowMs,
      refused: false,
      gone: false,
      ...(hasNews && { newsMs: nowMs }),
    });
  }

  refused(name: string, nowMs: number, gone = false): void {
    this.#places.get(name)?.failing.clear();
    this.#update(name, { triedMs: nowMs, refused: true, gone });
  }

  worked(name: string, part: Part): void {
    this.#places.get(name)?.failing.delete(part);
  }

  /** Records that a part got no usable answer; the returned function undoes it if the tool turns out to be unreachable. */
  failed(name: string, part: Part, nowMs: number, why: string): () => void {
    const place = this.#places.get(name);
    if (!place) return () => undefined;
    const before = place.failing.get(part);
    place.failing.set(part, failedOnceMore(before, nowMs, why));
    if (part === 'list') place.triedMs = nowMs;
    return () => void (before ? place.failing.set(part, before) : place.failing.delete(part));
  }

  isWaiting(name: string, part: Part, nowMs: number): boolean {
    return isWaiting(this.#places.get(name)?.failing.get(part), nowMs);
  }

  /** Why the whole source fails, if all its places do. */
  get fault(): string | undefined {
    const asked = [...this.#places.values()].filter(({ refused }) => !refused);
    const faults = asked.map(({ failing }) => failing.get('list')?.why);
    return faults.every((why) => why !== undefined) ? faults[0] : undefined;
  }

  /** Each part that fails, by name. */
  get failing(): (readonly [name: string, failing: Failing])[] {
    return [...this.#places].flatMap(([name, { failing }]) => [...failing.values()].map((one) => [name, one] as const));
  }

  isRefused(name: string): boolean {
    return this.#places.get(name)?.refused === true;
  }

  isGone(name: string): boolean {
    return this.#places.get(name)?.gone === true;
  }

  /** By code point. */
  get refusedNames(): string[] {
    return [...this.#places].flatMap(([name, { refused }]) => (refused ? [name] : [])).sort();
  }

  /** When the least recently polled place was polled; `undefined` until all were, except those that never answered. */
  get oldestLookMs(): number | undefined {
    const isOpen = ({ refused, lookedMs, failing }: Place) =>
      !refused && (lookedMs !== undefined || !failing.has('list'));
    const open = [...this.#places.values()].filter(isOpen);
    if (open.length === 0 || open.some(({ lookedMs }) => lookedMs === undefined)) return undefined;
    return Math.min(...open.map(({ lookedMs }) => lookedMs ?? 0));
  }

  #update(name: string, change: Partial<Place>): void {
    const place = this.#places.get(name);
    if (place) Object.assign(place, change);
  }
}

/** A failure: since when, how many times in a row, and why. Instants are the tool's. */
export interface Failing {
  readonly sinceMs: number;
  readonly times: number;
  readonly triedMs: number;
  readonly why: string;
}

/** A failing place, as health shows it. */
export interface FailingPlace extends Pick<Failing, 'sinceMs' | 'why'> {
  readonly name: string;
}

/** The first failures are retried in the next cycle; most are over by then. */
const timesAtOnce = 3;
const waitMsMin = 60_000;
const waitMsMax = 10 * 60_000;

export function failedOnceMore(before: Failing | undefined, nowMs: number, why: string): Failing {
  return { sinceMs: before?.sinceMs ?? nowMs, times: (before?.times ?? 0) + 1, triedMs: nowMs, why };
}

/** Whether it is too early to retry: after three failures the waits double up to 10 minutes (fetcher §7). */
export function isWaiting(failing: Failing | undefined, nowMs: number): boolean {
  if (!failing || failing.times < timesAtOnce) return false;
  return nowMs - failing.triedMs < Math.min(waitMsMax, waitMsMin * 2 ** (failing.times - timesAtOnce));
}

/** The longest failure of each name, by code point. */
export function failingPlaces(entries: Iterable<readonly [name: string, failing: Failing]>): FailingPlace[] {
  const longest = new Map<string, FailingPlace>();
  for (const [name, { sinceMs, why }] of entries) {
    if (sinceMs < (longest.get(name)?.sinceMs ?? Number.POSITIVE_INFINITY)) longest.set(name, { name, sinceMs, why });
  }
  return [...longest.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
}
