import { type BoardContext, noContext } from '../../src/board/context.ts';
import { namedStages, type Stages, stagesOn } from '../../src/board/stages.ts';

/** The stages of a board whose promotion order has only names. */
export function stagesNamed(promotionOrder: readonly string[], environments = promotionOrder): Stages {
  return stagesOn(environments, namedStages(promotionOrder));
}

/** The context of a board whose last stage is this environment. */
export function contextWith(production: string, before: readonly string[] = ['dev', 'staging']): BoardContext {
  return { ...noContext, stages: stagesNamed([...before, production]) };
}
