import { limits } from '@shiplog/contract';
import { globText, literalGlob, tokensOf } from '@shiplog/text';
import { type Board, environmentsOf } from './board.ts';
import type { BoardContext } from './context.ts';
import { type Filter, globMatches, wantsService } from './filter.ts';
import type { Stages } from './stages.ts';

export interface ScopeQuery {
  readonly services?: string[];
  readonly environments?: string[];
  readonly teams?: string[];
}

export interface Scope {
  readonly query: ScopeQuery;
  /** "prod", "dev, qa-*"; `undefined` = all. */
  readonly environments: string | undefined;
  readonly isProduction: boolean;
  /** "team shop", "services pay-*"; `undefined` = all. */
  readonly who: string | undefined;
  /** The same scope as a filter of the changes. */
  readonly filter: Filter;
  /** The number of services on the board that were ever deployed to these environments. */
  readonly services: number;
}

/** The filter that matches every environment, because an empty filter means production here. */
export const everyEnvironment = '*';

type Narrowed = Pick<Filter, 'services' | 'environments' | 'teams' | 'mine'>;
type ScopeContext = Pick<BoardContext, 'stages' | 'ownership'>;

/** The environments of production; the name of the last stage if the board has none of them. */
export function productionNames({ names, production }: Stages): string[] {
  return production.size > 0 ? [...production] : [names.at(-1) ?? 'prod'];
}

/** The scope that a filter selects, or a sentence that says why the scope is empty. */
export function scopeOf(filter: Narrowed, board: Board, context: ScopeContext): Scope | { readonly fault: string } {
  const { services, teams, mine } = filter;
  const query = servicesOf(filter, board, context);
  if ('fault' in query) return query;
  const production = productionNames(context.stages).map(literalGlob);
  const isAll = filter.environments.includes(everyEnvironment);
  const globs = filter.environments.length === 0 ? production : filter.environments;
  const environments = filter.environments.length === 0 ? production : asGlobs(globs, board.environments);
  if (!isAll && environments.length > limits.globs) return { fault: tooMany(environments.length, 'environments') };
  const isWanted = (name: string) => isAll || globs.some((glob) => globMatches(glob, name));
  return {
    query: { ...query, ...(isAll ? {} : { environments }) },
    environments: isAll ? undefined : globs.map(globText).join(', '),
    isProduction: !isAll && environments.length > 0 && environments.every((glob) => production.includes(glob)),
    who: whoOf(filter),
    filter: {
      services,
      teams,
      mine,
      environments: isAll ? [everyEnvironment] : globs,
      text: undefined,
      only: undefined,
    },
    services: [...board.rows.values()].filter(
      (row) => wantsService(filter, row.service, context.ownership) && environmentsOf(row).some(isWanted),
    ).length,
  };
}

/**
 * If a filter has both names and teams, lists each service by name, because the API combines names and teams with *or*.
 */
function servicesOf(
  filter: Narrowed,
  board: Board,
  { ownership }: ScopeContext,
): ScopeQuery | { readonly fault: string } {
  const { services, teams, mine } = filter;
  if (!mine && teams.length === 0) {
    const globs = asGlobs(services, [...board.rows.keys()]);
    if (globs.length > limits.globs) return { fault: tooMany(globs.length, 'service names') };
    return globs.length > 0 ? { services: globs } : {};
  }
  if (!mine && services.length === 0) return { teams: [...teams] };
  const known = new Set([...board.rows.keys(), ...ownership.items.keys()]);
  const names = [...known].filter((name) => wantsService(filter, name, ownership));
  if (names.length === 0) return { fault: 'No services match the filters of this page.' };
  if (names.length > limits.globs) return { fault: tooMany(names.length, 'services') };
  return { services: names.map(literalGlob) };
}

function tooMany(count: number, what: string): string {
  return `The filters name ${count} ${what}; analytics support at most ${limits.globs}. Filter by team only, or use a pattern with *.`;
}

/** Globs for the API, which is case-sensitive: adds the known names that match only if case is ignored. */
function asGlobs(globs: readonly string[], known: readonly string[]): string[] {
  const matched = globs.flatMap((glob) => {
    const isPlain = !/[*?]/.test(glob);
    const matching = known.filter((name) => globMatches(glob, name));
    if (isPlain && matching.length > 0) return matching.map(literalGlob);
    // The API refuses a bare backslash at the end, which is a literal one on this page.
    const accepted = tokensOf(glob).map((token) => (token === '\\' ? '\\\\' : token));
    return [accepted.join(''), ...matching.filter((name) => !globMatches(glob, name, true)).map(literalGlob)];
  });
  return [...new Set(matched)];
}

function whoOf({ services, teams, mine }: Narrowed): string | undefined {
  const parts = [
    ...(mine ? ['mine'] : []),
    ...(teams.length > 0 ? [`${teams.length === 1 ? 'team' : 'teams'} ${teams.join(', ')}`] : []),
    ...(services.length > 0
      ? [`${services.length === 1 ? 'service' : 'services'} ${services.map(globText).join(', ')}`]
      : []),
  ];
  return parts.length > 0 ? parts.join(', ') : undefined;
}
