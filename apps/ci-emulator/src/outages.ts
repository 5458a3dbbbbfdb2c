import { type CiOutage, type CiOutageRequest, ciTools, isCiTool, type OutageTool } from '@shiplog/companions';
import { invalid, Problem } from '@shiplog/server';
import type { EmulatorClock } from './clock.ts';
import { type Outage, pathOf } from './domain/model.ts';
import type { Random } from './random.ts';
import type { Place, Store } from './store.ts';

export interface OutageParts {
  readonly store: Store;
  readonly clock: EmulatorClock;
  readonly random: Random;
}

/** Opens and resolves outages after seeding (CI emulator §5.7). */
export class Outages {
  readonly #parts: OutageParts;

  constructor(parts: OutageParts) {
    this.#parts = parts;
  }

  list(): CiOutage[] {
    return this.#parts.store.outages.map(({ id, tool, title, place, openedAt, resolvedAt }) => ({
      ...{ id, tool, title, repository: place ? pathOf(place) : null },
      opened_at: new Date(openedAt).toISOString(),
      resolved_at: resolvedAt === undefined ? null : new Date(resolvedAt).toISOString(),
    }));
  }

  /** @throws Problem 404 if the outage to resolve is not known, 422 if the request doesn't fit the tool */
  report({ tool, id, state = 'open', at, repository, title, ...facts }: CiOutageRequest): void {
    const { store, clock, random } = this.#parts;
    const instant = at === undefined ? clock.now() : Date.parse(at);
    const known = store.outages.find((outage) => outage.tool === tool && outage.id === id);
    if (state === 'resolved') {
      if (!known) throw new Problem('not-found', { detail: 'There is no such outage.' });
      if (known.resolvedAt === undefined) store.resolveOutage(known, Math.max(instant, known.openedAt));
      return;
    }
    if (known) throw invalid([{ pointer: '/id', message: `is already in use: ${id}` }]);
    const { service, environment, severity } = facts;
    const outage: Outage = {
      ...{ service, environment, severity, tool, number: store.nextId('outage') },
      id: id ?? random.uuid(),
      title: title ?? 'Requests fail',
      place: this.#placeOf(tool, repository),
      ...{ openedAt: instant, resolvedAt: undefined },
    };
    store.openOutage(outage);
  }

  #placeOf(tool: OutageTool, repository: string | undefined): Place | undefined {
    const refused = (message: string) => invalid([{ pointer: '/repository', message }]);
    if (!isCiTool(tool)) {
      if (repository !== undefined) throw refused(`is only for issues of ${ciTools.join(' and ')}`);
      return undefined;
    }
    if (repository === undefined) throw refused('is required for an issue');
    const place = this.#parts.store.place(repository);
    if (place?.tool !== tool) throw refused(`is not known: ${repository}`);
    return place;
  }
}
