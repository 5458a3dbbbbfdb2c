import type { AnalyticsScope } from '@shiplog/contract';
import { compileGlobs, likePattern, literalName } from '@shiplog/text';
import type { Window } from './analytics-window.ts';

/**
 * Selects the rows of a query that have a matching service and environment. An `undefined` member matches every name.
 */
export interface Scope {
  readonly services: readonly string[] | undefined;
  readonly environments: readonly string[] | undefined;
  readonly teams?: readonly string[] | undefined;
  /** If teams were requested: the services that match a glob or belong to a team. This list replaces the globs. */
  readonly names?: readonly string[];
}

/** Selects the events of a figure: a window and, optionally, a scope. */
export interface Selection {
  readonly window: Window;
  readonly scope: Scope | undefined;
  /** Events from this id on are not in the folds yet. */
  readonly below: string;
}

/** The scope of a request; `undefined` if it has none. */
export function scopeOf({ services, environments, teams }: Partial<Scope>): Scope | undefined {
  if (teams) return { services, environments, teams };
  return services === undefined && environments === undefined ? undefined : { services, environments };
}

/**
 * The scope as in a response (questions.md 2.2). Lists that were not sent are empty; teams are present only if sent.
 */
export function scopeShape({ services = [], environments = [], teams }: Scope): AnalyticsScope {
  return { services: [...services], environments: [...environments], ...(teams && { teams: [...teams] }) };
}

/** The services that match a glob or belong to a team (questions.md 11.3). */
export function namesWithin(
  services: readonly string[],
  globs: readonly string[] = [],
  isOfTeam: (service: string) => boolean,
): string[] {
  const isNamed = compileGlobs(globs);
  return services.filter((service) => isOfTeam(service) || isNamed(service));
}

/** The services of a scope if it names them exactly; `undefined` if it has patterns. */
export function wholeNames({ names, services }: Scope): readonly string[] | undefined {
  if (names) return names;
  const whole = services?.flatMap((glob) => literalName(glob) ?? []);
  return whole?.length === services?.length ? whole : undefined;
}

/** The LIKE patterns of globs. `undefined` matches every name, and an empty list matches none. */
export function likePatterns(globs: readonly string[] | undefined): string[] {
  return globs === undefined ? ['%'] : globs.map(likePattern);
}
