import type { CatalogItem, CatalogPreset } from '@shiplog/contract';
import { compileGlob, literalName } from '@shiplog/text';

/** The catalog's entry for the services that match a glob. */
export interface CatalogEntry extends Omit<CatalogItem, 'service'> {
  readonly name: string;
}

/** Teams, owners and links of services, from one version of the file (questions.md 11). */
export class Catalog {
  readonly presets: readonly CatalogPreset[];
  readonly #teams: ReadonlySet<string | null>;
  /** The index of the first entry for each exact name. */
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

  /** Whether the file contains a team, even in an entry that doesn't match any service. */
  hasTeam(team: string): boolean {
    return this.#teams.has(team);
  }

  teamOf(service: string): string | null {
    return this.#entryOf(service)?.team ?? null;
  }

  /** Unknown members are null. */
  itemOf(service: string): CatalogItem {
    const { name: _, ...known } = this.#entryOf(service) ?? unknown;
    return { service, ...known };
  }

  /** The first matching entry. */
  #entryOf(service: string): CatalogEntry | undefined {
    if (!this.#known.has(service)) this.#known.set(service, this.#entries[this.#indexOf(service)]);
    return this.#known.get(service);
  }

  #indexOf(service: string): number {
    const named = this.#named.get(service) ?? this.#entries.length;
    return this.#globs.find(({ at, matches }) => at < named && matches(service))?.at ?? named;
  }
}

const unknown: CatalogEntry = { name: '', team: null, owner: null, repository: null, runbook: null, tags: [] };

export const noCatalog = new Catalog([], []);
