import type { CatalogItem } from '@shiplog/contract';

export interface Favourites {
  readonly services: readonly string[];
  readonly teams: readonly string[];
}

export interface Ownership {
  readonly items: ReadonlyMap<string, CatalogItem>;
  readonly favourites: Favourites;
}

export const noOwnership: Ownership = { items: new Map(), favourites: { services: [], teams: [] } };

/** The team of a service; `undefined` if the catalog names no team for it. */
export function teamOf({ items }: Pick<Ownership, 'items'>, service: string): string | undefined {
  return items.get(service)?.team ?? undefined;
}

export function teamsOf({ items }: Pick<Ownership, 'items'>): string[] {
  const teams = new Set([...items.values()].flatMap(({ team }) => team ?? []));
  return [...teams].sort((left, right) => left.localeCompare(right));
}

export function isMine({ items, favourites }: Ownership, service: string): boolean {
  const team = teamOf({ items }, service);
  return favourites.services.includes(service) || (team !== undefined && favourites.teams.includes(team));
}
