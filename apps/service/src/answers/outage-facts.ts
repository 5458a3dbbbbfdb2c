import type { Hold } from '@shiplog/contract';
import type { Queries } from '../db/database.ts';
import { listBadVersions } from '../db/holds.ts';
import { listAllOutages, listResolvedEarly, outageRevision } from '../db/outages.ts';
import { outageKeyOf } from '../domain/outage-findings.ts';
import type { OutageState } from '../domain/outages.ts';

/** What people and tools have said about outages and bad versions. */
export interface OutageFacts {
  /** Changes whenever the facts do. */
  readonly revision: string;
  readonly outages: readonly OutageState[];
  /** The keys of outages with a resolution before their first opening. */
  readonly resolvedEarly: ReadonlySet<string>;
  /** Bad versions that were not taken back. */
  readonly badVersions: readonly Hold[];
}

/** Reads the facts, and keeps them until they change. */
export class OutageFactsReader {
  readonly #queries: Queries;
  #known: { readonly revision: string; readonly facts: Promise<OutageFacts> } | undefined;

  constructor(queries: Queries) {
    this.#queries = queries;
  }

  async current(): Promise<OutageFacts> {
    const revision = await outageRevision(this.#queries);
    if (this.#known?.revision === revision) return this.#known.facts;
    const known = { revision, facts: this.#read(revision) };
    this.#known = known;
    known.facts.catch(() => {
      if (this.#known === known) this.#known = undefined;
    });
    return known.facts;
  }

  async #read(revision: string): Promise<OutageFacts> {
    const outages = await listAllOutages(this.#queries);
    const early = await listResolvedEarly(this.#queries);
    const badVersions = await listBadVersions(this.#queries);
    return { revision, outages, resolvedEarly: new Set(early.map(outageKeyOf)), badVersions };
  }
}
