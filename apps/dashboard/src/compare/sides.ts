import { stageNamed, stageNameIn } from '@shiplog/text';
import { type EnvironmentOrStage, fromEnvironment, fromStage, type Stages } from '../board/stages.ts';

export interface Pair {
  readonly from: EnvironmentOrStage;
  readonly to: EnvironmentOrStage;
}

/** A side of a comparison. */
export function sideOf(reference: string, { all }: Pick<Stages, 'all'>): EnvironmentOrStage {
  const asked = stageNameIn(reference);
  if (asked === undefined) return fromEnvironment(reference);
  const stage = stageNamed(all, asked);
  if (!stage) return { reference, name: asked, environments: [] };
  const { name, environments } = stage;
  return { reference, name: environments.includes(name) ? `${name} (all)` : name, environments };
}

/** What can be compared: stages of several environments, then each environment. */
export function comparable({ all }: Pick<Stages, 'all'>, environments: readonly string[]): string[] {
  const several = all.filter((stage) => stage.environments.length > 1);
  return [...several.map((stage) => fromStage(stage).reference), ...environments];
}

/** The stage before production, and production; otherwise the last two stages or environments. */
export function defaultPair({ all }: Pick<Stages, 'all'>, known: readonly string[]): readonly string[] {
  const production = all.find(({ isProduction }) => isProduction);
  const before = all.findLast(({ isProduction }) => !isProduction);
  if (before && production) return [before, production].map((stage) => fromStage(stage).reference);
  const environments = all.flatMap((stage) => stage.environments);
  return (environments.length < 2 ? known : environments).slice(-2);
}
