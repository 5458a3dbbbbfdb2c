import type { AnalyticsScope } from '@shiplog/contract';
import { compileGlob, likePattern, literalName } from '@shiplog/text';
import type { Window } from './analytics-window.ts';

/** Which rows a question is about: those whose service and environment match; what was not sent matches every name. */
export interface Scope {
  readonly services: readonly string[] | undefined;
  readonly environments: readonly string[] | undefined;
  readonly teams?: readonly string[] | undefined;
  /** With teams, the services that globs and teams come to; then the globs alone do not decide. */
  readonly names?: readonly string[];
}

/** The rows that a figure is made of: those of a time and, where there is a scope, of a place. */
export interface Selection {
  readonly window: Window;
  readonly scope: Scope | undefined;
}

/** The scope of a request; `undefined` where it has none. */
export function scopeOf({ services, environments, teams }: Partial<Scope>): Scope | undefined {
  if (teams) return { services, environments, teams };
  return services === undefined && environments === undefined ? undefined : { services, environments };
}

/** The scope as an answer tells it (questions.md 2.2): what was not sent is empty, and teams are there if sent. */
export function scopeShape({ services = [], environments = [], teams }: Scope): AnalyticsScope {
  return { services: [...services], environments: [...environments], ...(teams && { teams: [...teams] }) };
}

/** The services of a log that globs or teams take (questions.md 11.3); without globs, the teams' alone. */
export function namesWithin(
  services: readonly string[],
  globs: readonly string[] = [],
  isOfTeam: (service: string) => boolean,
): string[] {
  const matchers = globs.map(compileGlob);
  return services.filter((service) => isOfTeam(service) || matchers.some((matches) => matches(service)));
}

/** The services of a scope where it means them by their whole names; `undefined` where it matches names. */
export function wholeNames({ names, services }: Scope): readonly string[] | undefined {
  if (names) return names;
  const whole = services?.flatMap((glob) => literalName(glob) ?? []);
  return whole?.length === services?.length ? whole : undefined;
}

/** The LIKE patterns of globs; what was not sent matches every name, and an empty list none. */
export function likePatterns(globs: readonly string[] | undefined): string[] {
  return globs === undefined ? ['%'] : globs.map(likePattern);
}
