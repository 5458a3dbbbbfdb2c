import { compilePatterns, type Patterns } from '@shiplog/component';
import type { Logger } from 'pino';
import { ListCut, PlaceRefused, ToolAway } from '../../tool/refusals.ts';
import type { ToolHttp } from '../../tool/tool-http.ts';
import { type ListedRepository, pickRepositories } from './api.ts';

export interface DiscoveryOptions {
  readonly http: ToolHttp;
  /** The places as configured: `owner/repo`, `owner/*`, `*`, and `!` to exclude. */
  readonly places: readonly string[];
  /** The list of everything that the credentials can access. */
  readonly listOfAll: '/user/repos' | '/installation/repositories';
  readonly periodMs: number;
  readonly log: Logger;
}

/** The repositories of a source: those named in the settings, and those in lists, which are refreshed (fetcher §9). */
export class Discovery {
  readonly #options: DiscoveryOptions;
  readonly #covered: Patterns | undefined;
  readonly #named: readonly string[];
  /** Owners with a list, and `*` for everything. */
  readonly #lists: ReadonlySet<string>;
  readonly #found = new Map<string, readonly ListedRepository[]>();
  readonly #refused = new Set<string>();
  /** Why a list is incomplete, by list. */
  readonly #cuts = new Map<string, string>();
  /** Owners that aren't organizations. */
  readonly #users = new Set<string>();
  #lastMs = Number.NEGATIVE_INFINITY;

  constructor(options: DiscoveryOptions) {
    this.#options = options;
    const { places } = options;
    this.#covered = places.length === 0 ? undefined : compilePatterns(places.map((one) => (one === '*' ? '**' : one)));
    const included = places.filter((one) => !one.startsWith('!'));
    this.#named = included.filter((one) => !hasWildcard(one));
    this.#lists = new Set(included.filter(hasWildcard).map(listOf));
  }

  /** Whether a repository belongs to this source, listed or not; a source without places accepts all. */
  covers(name: string): boolean {
    return !this.#covered || this.#covered.match(name) !== undefined;
  }

  get isIdle(): boolean {
    return this.#options.places.length === 0;
  }

  isDue(nowMs: number): boolean {
    return !this.isIdle && nowMs - this.#lastMs >= this.#options.periodMs;
  }

  /** The current repositories. A list that can't be read remains unchanged. @throws ToolAway if it was never read */
  async names(nowMs: number, signal: AbortSignal): Promise<string[]> {
    for (const list of this.#lists) await this.#read(list, signal);
    this.#lastMs = nowMs;
    const distinct = new Map<string, string>();
    const listed = [...this.#found.values()].flat().flatMap(({ fullName, archived }) => (archived ? [] : [fullName]));
    for (const name of [...this.#named, ...listed]) {
      const folded = name.toLowerCase();
      if (!distinct.has(folded) && this.covers(name)) distinct.set(folded, name);
    }
    return [...distinct.values()];
  }

  get refusedPlaces(): string[] {
    return this.#patterns.filter((place) => this.#refused.has(listOf(place)));
  }

  /** A sentence for each incomplete list, and for each configured item that matches nothing. */
  get warnings(): string[] {
    const cuts = [...this.#cuts].map(([list, why]) => `The list of ${list} is incomplete: ${why}.`);
    const empty = this.#patterns.flatMap((place) => {
      const listed = this.#found.get(listOf(place));
      if (!listed || this.#refused.has(listOf(place))) return [];
      const pattern = compilePatterns([place === '*' ? '**' : place]);
      const own = listed.filter(({ fullName }) => pattern.match(fullName) !== undefined);
      if (own.some(({ archived, fullName }) => !archived && this.covers(fullName))) return [];
      const isArchived = own.length > 0 && own.every(({ archived }) => archived);
      return isArchived
        ? [`${place} has only archived repositories, which are skipped.`]
        : [`${place} has no repositories to poll that the token can see.`];
    });
    return [...cuts, ...empty];
  }

  get #patterns(): string[] {
    return this.#options.places.filter((place) => !place.startsWith('!') && hasWildcard(place));
  }

  async #read(list: string, signal: AbortSignal): Promise<void> {
    const { log } = this.#options;
    try {
      this.#cuts.delete(list);
      const isAll = list === '*';
      const listed = await (isAll ? this.#pages(list, this.#options.listOfAll, signal) : this.#ofOwner(list, signal));
      this.#found.set(list, listed);
      this.#refused.delete(list);
    } catch (error) {
      if (error instanceof PlaceRefused) {
        this.#refused.add(list);
        log.warn({ list }, `cannot list the repositories of ${list}: ${error.message}`);
      } else if (error instanceof ToolAway && this.#found.has(list))
        log.warn({ list }, `cannot refresh the list of repositories, keeping the last one: ${error.message}`);
      else throw error;
    }
  }

  async #ofOwner(owner: string, signal: AbortSignal): Promise<ListedRepository[]> {
    if (!this.#users.has(owner)) {
      try {
        return await this.#pages(owner, `/orgs/${encodeURIComponent(owner)}/repos`, signal);
      } catch (error) {
        if (!(error instanceof PlaceRefused) || error.status !== 404) throw error;
      }
    }
    const listed = await this.#pages(owner, `/users/${encodeURIComponent(owner)}/repos`, signal);
    this.#users.add(owner);
    return listed;
  }

  async #pages(list: string, path: string, signal: AbortSignal): Promise<ListedRepository[]> {
    const listed: ListedRepository[] = [];
    try {
      for await (const { body } of this.#options.http.pages(`${path}?per_page=100`, signal, pickRepositories)) {
        listed.push(...body);
      }
    } catch (error) {
      if (!(error instanceof ListCut)) throw error;
      this.#cuts.set(list, error.message);
    }
    return listed;
  }
}

function hasWildcard(place: string): boolean {
  return /[*?{]/.test(place);
}

function listOf(place: string): string {
  const [owner = '', name] = place.split('/');
  return name === undefined || hasWildcard(owner) ? '*' : owner;
}
