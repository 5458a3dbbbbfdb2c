import { stageNamed, stageNameIn } from '@shiplog/text';
import { referenceOf, type Stages } from '../board/stages.ts';

/** One side of a comparison: an environment, or a stage of several. */
export interface Side {
  /** As in an address and a query. */
  readonly reference: string;
  /** As in a sentence. */
  readonly name: string;
  readonly environments: readonly string[];
}

export function sideOf(reference: string, { all }: Pick<Stages, 'all'>): Side {
  const asked = stageNameIn(reference);
  if (asked === undefined) return { reference, name: reference, environments: [reference] };
  const stage = stageNamed(all, asked);
  if (!stage) return { reference, name: asked, environments: [] };
  const { name, environments } = stage;
  return { reference, name: environments.includes(name) ? `${name} (all)` : name, environments };
}

/** What can be compared: stages of several environments, then each environment. */
export function comparable({ all }: Pick<Stages, 'all'>, environments: readonly string[]): string[] {
  return [...all.filter((stage) => stage.environments.length > 1).map(referenceOf), ...environments];
}

/** The stage before production, and production; otherwise the last two stages or environments. */
export function defaultPair({ all }: Pick<Stages, 'all'>, known: readonly string[]): readonly string[] {
  const production = all.find(({ isProduction }) => isProduction);
  const before = all.findLast(({ isProduction }) => !isProduction);
  if (before && production) return [referenceOf(before), referenceOf(production)];
  const environments = all.flatMap((stage) => stage.environments);
  return (environments.length < 2 ? known : environments).slice(-2);
}
