import { invalid } from '@shiplog/server';
import type { CatalogFile } from '../catalog-file.ts';
import type { Queries } from '../db/database.ts';
import { listServices } from '../db/discovery.ts';
import { namesWithin, type Scope, scopeOf } from '../domain/scope.ts';

export interface ScopeSources {
  /** For quick reads of the state of the log and of its services. */
  readonly queries: Queries;
  readonly catalog: Pick<CatalogFile, 'current'>;
}

/**
 * The scope of a request, with the services of its teams (questions.md 2 and 11.3); `undefined` if it has none. The
 * scope contains the service names, so results that are cached by scope differ between catalog versions.
 * @throws Problem 422 for a team that is not in the catalog.
 */
export async function requestedScope(
  { queries, catalog }: ScopeSources,
  query: Partial<Scope>,
): Promise<Scope | undefined> {
  const scope = scopeOf(query);
  if (!scope?.teams) return scope;
  const { current } = catalog;
  const unknown = scope.teams.find((team) => !current.hasTeam(team));
  if (unknown !== undefined) {
    const message = `names the unknown team ${JSON.stringify(unknown)}; the catalog does not have it`;
    throw invalid([{ pointer: '/teams', message }]);
  }
  const teams = new Set<string | null>(scope.teams);
  const isOfTeam = (service: string) => teams.has(current.teamOf(service));
  return { ...scope, names: namesWithin(await listServices(queries), scope.services, isOfTeam) };
}
