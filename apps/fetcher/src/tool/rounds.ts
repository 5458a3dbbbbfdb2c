import type { Logger } from 'pino';
import { PlaceRefused, ToolAway } from './refusals.ts';
import type { ToolHttp } from './tool-http.ts';

const recentMs = 24 * 3_600_000;
const refusedMs = 3_600_000;

/** The parts of polling a place, each of which may fail on its own. */
export type Part = 'list' | 'open' | 'backfill';

interface Place {
  triedMs: number;
  polledMs: number | undefined;
  changedMs: number;
  refused: boolean;
  gone: boolean;
  readonly failing: Map<Part, Failing>;
}

const never = Number.NEGATIVE_INFINITY;
const unpolled = { triedMs: never, polledMs: undefined, changedMs: never, refused: false, gone: false };

/**
 * The places of a source (repositories, projects) in the order of polling: first those with changes in the last 24
 * hours, then those that have waited longest, so that each gets its turn even if a cycle doesn't reach all. Failing
 * places come last and are polled less and less often, so that they don't delay others; inaccessible ones are polled
 * hourly (fetcher §7). Instants are those of the tool's clock.
 */
export class Rounds {
  readonly #places = new Map<string, Place>();

  set(names: Iterable<string>): void {
    const current = new Set(names);
    for (const name of this.#places.keys()) if (!current.has(name)) this.#places.delete(name);
    for (const name of current) {
      if (!this.#places.has(name)) this.#places.set(name, { ...unpolled, failing: new Map() });
    }
  }

  get size(): number {
    return this.#places.size;
  }

  /** The names in the order of polling, at the beginning of a cycle. */
  begin(nowMs: number): string[] {
    const hasChanges = (place: Place) => nowMs - place.changedMs < recentMs;
    const fails = (place: Place) => place.failing.has('list');
    // If all places fail, the source waits instead.
    const areAllFailing = this.fault !== undefined;
    return [...this.#places]
      .filter(([, place]) => !place.refused || nowMs - place.triedMs >= refusedMs)
      .filter(([name]) => areAllFailing || !this.isWaiting(name, 'list', nowMs))
      .sort(
        ([, one], [, other]) =>
          Number(fails(one)) - Number(fails(other)) ||
          Number(hasChanges(other)) - Number(hasChanges(one)) ||
          one.triedMs - other.triedMs,
      )
      .map(([name]) => name);
  }

  polled(name: string, nowMs: number, hasChanges: boolean): void {
    this.worked(name, 'list');
    this.#update(name, {
      triedMs: nowMs,
      polledMs: nowMs,
      refused: false,
      gone: false,
      ...(hasChanges && { changedMs: nowMs }),
    });
  }

  refused(name: string, nowMs: number, gone = false): void {
    this.#places.get(name)?.failing.clear();
    this.#update(name, { triedMs: nowMs, refused: true, gone });
  }

  worked(name: string, part: Part): void {
    this.#places.get(name)?.failing.delete(part);
  }

  /** Records that a part got no usable response. The returned function undoes this if the tool is unreachable. */
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

  /** Why the whole source fails; `undefined` unless all its places fail. */
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

  /** Sorted by code point. */
  get refusedNames(): string[] {
    return [...this.#places].flatMap(([name, { refused }]) => (refused ? [name] : [])).sort();
  }

  /** When the least recently polled place was polled; `undefined` until all were, except those that never answer. */
  get oldestPollMs(): number | undefined {
    const isOpen = ({ refused, polledMs, failing }: Place) =>
      !refused && (polledMs !== undefined || !failing.has('list'));
    const open = [...this.#places.values()].filter(isOpen);
    if (open.length === 0 || open.some(({ polledMs }) => polledMs === undefined)) return undefined;
    return Math.min(...open.map(({ polledMs }) => polledMs ?? 0));
  }

  #update(name: string, change: Partial<Place>): void {
    const place = this.#places.get(name);
    if (place) Object.assign(place, change);
  }
}

/** A failure: since when, how many times in a row, and why. Instants use the tool's clock. */
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

/** The first failures are retried in the next cycle, because most are short. */
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

/** The longest failure for each name, sorted by code point. */
export function failingPlaces(entries: Iterable<readonly [name: string, failing: Failing]>): FailingPlace[] {
  const longest = new Map<string, FailingPlace>();
  for (const [name, { sinceMs, why }] of entries) {
    if (sinceMs < (longest.get(name)?.sinceMs ?? Number.POSITIVE_INFINITY)) longest.set(name, { name, sinceMs, why });
  }
  return [...longest.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
}

export interface PlaceFailuresOptions {
  readonly rounds: Rounds;
  readonly http: ToolHttp;
  readonly log: Logger;
  /**
   * The path of a cheap request that doesn't concern a place. Its response shows whether the tool is reachable at all.
   */
  readonly probe: string;
}

const rowMax = 3;

/**
 * Distinguishes a failing place from an unreachable tool: after three consecutive failures (or one per place), it sends
 * a probe. A broken repository must never end the cycle for others, and an unreachable tool must not get a request for
 * each place.
 */
export class PlaceFailures {
  readonly #options: PlaceFailuresOptions;
  /** Functions that undo the consecutive failures. */
  #row: (() => void)[] = [];

  constructor(options: PlaceFailuresOptions) {
    this.#options = options;
  }

  /** Records a usable response, which ends a series of failures. */
  answered(): void {
    this.#row = [];
  }

  /** Records a failure of one place. @throws the error if the tool is unreachable */
  async record(name: string, part: Part, error: unknown, signal: AbortSignal): Promise<void> {
    const { rounds, http, log } = this.#options;
    const nowMs = http.now();
    if (error instanceof PlaceRefused) {
      if (!rounds.isRefused(name)) log.warn({ place: name }, `no access, retrying hourly: ${error.message}`);
      this.answered();
      rounds.refused(name, nowMs, error.isGone);
      return;
    }
    if (!(error instanceof ToolAway)) throw error;
    log.warn({ place: name }, `no usable answer, retrying in a later cycle: ${error.message}`);
    await this.#next(error, rounds.failed(name, part, nowMs, error.message), signal);
  }

  /** Counts a failure that is recorded elsewhere. @throws the error if the tool is unreachable */
  async count(error: ToolAway, signal: AbortSignal): Promise<void> {
    await this.#next(error, () => undefined, signal);
  }

  async #next(error: ToolAway, takeBack: () => void, signal: AbortSignal): Promise<void> {
    this.#row.push(takeBack);
    if (this.#row.length < Math.min(rowMax, this.#options.rounds.size)) return;
    const row = this.#row;
    this.#row = [];
    if (await this.#isThere(signal)) return;
    for (const undo of row.reverse()) undo();
    throw error;
  }

  async #isThere(signal: AbortSignal): Promise<boolean> {
    try {
      await this.#options.http.get(this.#options.probe, signal, () => null);
    } catch (error) {
      if (error instanceof ToolAway) return false;
      // A refusal is a response, so the tool is reachable.
      if (!(error instanceof PlaceRefused)) throw error;
    }
    return true;
  }
}
