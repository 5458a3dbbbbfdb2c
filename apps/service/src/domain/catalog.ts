import type { CatalogItem, CatalogPreset } from '@shiplog/contract';
import { compileGlob, literalName } from '@shiplog/text';

/** What the catalog says of the services whose name a glob means. */
export interface CatalogEntry extends Omit<CatalogItem, 'service'> {
  readonly name: string;
}

/** Whose a service is and where its things are, as one version of the file says (questions.md 11). */
export class Catalog {
  readonly presets: readonly CatalogPreset[];
  readonly #teams: ReadonlySet<string | null>;
  /** Where the first entry stands whose glob means this name alone. */
  readonly #named = new Map<string, number>();
  readonly #globs: { readonly at: number; readonly matches: (name: string) => boolean }[] = [];
  readonly #entries: readonly CatalogEntry[];
  readonly #known = new Map<string, CatalogEntry | undefined>();

  constructor(entries: readonly CatalogEntry[], presets: readonly CatalogPreset[]) {
    this.presets = presets;
    this.#entries = entries;
    this.#teams = new Set(entries.map(({ team }) => team));
    for (const [at, { name }] of entries.entries()) {
      const only = literalName(name);
      if (only === undefined) this.#globs.push({ at, matches: compileGlob(name) });
      else if (!this.#named.has(only)) this.#named.set(only, at);
    }
  }

  /** Whether the file names a team, be it in an entry that is the first for no service. */
  hasTeam(team: string): boolean {
    return this.#teams.has(team);
  }

  teamOf(service: string): string | null {
    return this.#entryOf(service)?.team ?? null;
  }

  /** What is known of a service: null where nothing is. */
  itemOf(service: string): CatalogItem {
    const { name: _, ...known } = this.#entryOf(service) ?? unknown;
    return { service, ...known };
  }

  /** The first entry whose glob matches. */
  #entryOf(service: string): CatalogEntry | undefined {
    if (!this.#known.has(service)) this.#known.set(service, this.#entries[this.#placeOf(service)]);
    return this.#known.get(service);
  }

  #placeOf(service: string): number {
    const named = this.#named.get(service) ?? this.#entries.length;
    return this.#globs.find(({ at, matches }) => at < named && matches(service))?.at ?? named;
  }
}

const unknown: CatalogEntry = { name: '', team: null, owner: null, repository: null, runbook: null, tags: [] };

export const noCatalog = new Catalog([], []);
