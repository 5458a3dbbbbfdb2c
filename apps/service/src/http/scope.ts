import { invalid } from '@shiplog/server';
import { literalGlob, type Stage, stageNamed, stageNameIn } from '@shiplog/text';
import type { CatalogFile } from '../catalog-file.ts';
import type { Queries } from '../db/database.ts';
import { listEnvironments, listServices } from '../db/discovery.ts';
import { requestedRange } from '../domain/change-range.ts';
import { environmentsIn, stagesOf } from '../domain/promotion-order.ts';
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

/**
 * The stage that `stage:<name>` stands for; `undefined` for an environment (stages.md 4.8).
 * @throws Problem 422 for an unknown stage.
 */
export function requestedStage(text: string, pointer: string, promotionOrder: readonly Stage[]): Stage | undefined {
  const name = stageNameIn(text);
  if (name === undefined) return undefined;
  const stage = stageNamed(promotionOrder, name);
  if (stage) return stage;
  const known = promotionOrder.map((each) => each.name).join(', ');
  throw invalid([{ pointer, message: `names the unknown stage ${JSON.stringify(name)}; the stages are ${known}` }]);
}

/**
 * The environments of a scope in which `stage:<name>` stands for the environments of that stage (changes.md 1).
 * @throws Problem 422 for an unknown stage.
 */
export function requestedEnvironments(sent: readonly string[] | undefined, promotionOrder: readonly Stage[]) {
  const parts = sent?.map((text, at) => ({ text, stage: requestedStage(text, `/environments/${at}`, promotionOrder) }));
  return {
    /** The scope with globs only. */
    within: async (log: Queries, scope: Scope | undefined): Promise<Scope | undefined> => {
      if (!scope || !parts?.some(({ stage }) => stage)) return scope;
      const staged = stagesOf(await listEnvironments(log), promotionOrder);
      const environments = parts.flatMap(({ text, stage }) =>
        stage ? environmentsIn(staged, stage.name).map(literalGlob) : [text],
      );
      return { ...scope, environments };
    },
  };
}

/** The period that a query names; `undefined` without one. @throws Problem 422 */
export function sentRange({ from, to }: { readonly from?: string | undefined; readonly to?: string | undefined }) {
  const requested = requestedRange({ ...(from !== undefined && { from }), ...(to !== undefined && { to }) });
  if ('fault' in requested) throw invalid([requested.fault]);
  return requested.range;
}
