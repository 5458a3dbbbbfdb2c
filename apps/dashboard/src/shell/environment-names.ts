import { type EnvironmentOrStage, fromEnvironment, fromStage } from '../board/stages.ts';
import type { SearchInput } from './hit.ts';

/** Groups of common names for the same environment (questions.md 10, `look-alike`). */
const alike: readonly (readonly string[])[] = [
  ['prod', 'production', 'prd', 'live'],
  ['stg', 'stage', 'staging'],
  ['dev', 'development'],
];

const startMin = 2;
const namedMax = 3;

/**
 * The places that a user may mean: the environment with this name, or else the stage or the environment with an alias of
 * it, or those with this prefix. If several environments have the prefix: the stage that contains them all, or the only
 * one that belongs to a stage.
 */
export function placesNamed(
  typed: string,
  { board, stages }: Pick<SearchInput, 'board' | 'stages'>,
): EnvironmentOrStage[] {
  const { environments } = board;
  const wanted = bare(typed);
  if (wanted === '') return [];
  const whole = environments.find((name) => name === typed.trim());
  const exact = whole ?? environments.find((name) => bare(name) === wanted);
  if (exact !== undefined) return [fromEnvironment(exact)];
  const several = stages.filter((stage) => stage.environments.length > 1);
  const names = alike.find((group) => group.includes(wanted)) ?? [wanted];
  const stage = several.find(({ name }) => names.includes(bare(name)));
  if (stage) return [fromStage(stage)];
  const alias = environments.find((name) => names.includes(bare(name)));
  if (alias !== undefined) return [fromEnvironment(alias)];
  if (wanted.length < startMin) return [];
  const starting = environments.filter((name) => bare(name).startsWith(wanted));
  const whose = several.find(
    (each) => starting.length > 1 && starting.every((name) => each.environments.includes(name)),
  );
  if (whose) return [fromStage(whose)];
  const ordered = starting.filter((name) => stages.some((each) => each.environments.includes(name)));
  if (ordered.length === 1) return ordered.map(fromEnvironment);
  return starting
    .sort((one, other) => one.length - other.length)
    .slice(0, namedMax)
    .map(fromEnvironment);
}

function bare(name: string): string {
  return name.toLowerCase().replace(/[\s._-]+/g, '');
}
