import { type BoardFacts, findingsWithoutHistory, type PlaceFacts } from '@shiplog/contract';

/** What the service knows about the board beyond its events (board-facts.md). */
export interface Facts {
  /** The facts include all events up to this id. */
  readonly position: string;
  /** By service, then by environment. Only slots with a fact have an entry. */
  readonly places: ReadonlyMap<string, ReadonlyMap<string, PlaceFacts>>;
  /** The silent reporters. */
  readonly silent: BoardFacts['emitters'];
}

/** The value before the first response: the facts are unknown, not absent. */
export const noFacts: Facts = { position: '', places: new Map(), silent: [] };

export function factsOf({ places, emitters }: Pick<BoardFacts, 'places' | 'emitters'>, position: string): Facts {
  const byService = new Map<string, Map<string, PlaceFacts>>();
  for (const place of places) {
    const ofService = byService.get(place.service) ?? new Map<string, PlaceFacts>();
    byService.set(
      place.service,
      ofService.set(place.environment, { ...place, findings: findingsWithoutHistory(place.findings) }),
    );
  }
  return { position, places: byService, silent: emitters };
}

export function factsIn({ places }: Facts, service: string, environment: string): PlaceFacts | undefined {
  return places.get(service)?.get(environment);
}
