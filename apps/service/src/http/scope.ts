import { invalid } from '@shiplog/server';
import type { CatalogSource } from '../catalog-file.ts';
import type { Queries } from '../db/database.ts';
import { listServices } from '../db/discovery.ts';
import { namesWithin, type Scope, scopeOf } from '../domain/scope.ts';

export interface ScopeSources {
  /** For quick reads: the state of the log, and its services. */
  readonly queries: Queries;
  readonly catalog: CatalogSource;
}

/**
 * The scope of a request, with the services that its teams have in the log (questions.md 2 and 11.3); `undefined` if it
 * has none. It includes the service names, so answers stored by scope differ between catalog versions.
 * @throws Problem 422 for a team that the catalog does not name.
 */
export async function requestedScope(
  { queries, catalog }: ScopeSources,
  query: Partial<Scope>,
): Promise<Scope | undefined> {
  const scope = scopeOf(query);
  if (!scope?.teams) return scope;
  const { current } = catalog;
  const stranger = scope.teams.find((team) => !current.hasTeam(team));
  if (stranger !== undefined) {
    throw invalid([
      {
        pointer: '/teams',
        message: `names the unknown team ${JSON.stringify(stranger)}; the catalog does not have it`,
      },
    ]);
  }
  const teams = new Set<string | null>(scope.teams);
  const isOfTeam = (service: string) => teams.has(current.teamOf(service));
  return { ...scope, names: namesWithin(await listServices(queries), scope.services, isOfTeam) };
}
