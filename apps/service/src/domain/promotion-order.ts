import type { BoardFacts } from '@shiplog/contract';
import { type Stage, stageFinder } from '@shiplog/text';

/** An environment of the log and the name of its stage. */
export interface StagedEnvironment {
  readonly environment: string;
  readonly stage: string;
}

/** The number of deployments that reached one stage. */
export interface StageCount {
  readonly environment: string;
  readonly count: number;
}

/** The environments that are in a stage (reading 5.11, stages.md 4.2). */
export function stagesOf(environments: readonly string[], promotionOrder: readonly Stage[]): StagedEnvironment[] {
  const stageOf = stageFinder(promotionOrder);
  return environments.flatMap((environment) => {
    const stage = stageOf(environment)?.name;
    return stage === undefined ? [] : [{ environment, stage }];
  });
}

/** The environments of one stage. */
export function environmentsIn(staged: readonly StagedEnvironment[], stage: string | undefined): string[] {
  return staged.filter((each) => each.stage === stage).map(({ environment }) => environment);
}

/** The last stage. */
export function productionOf(promotionOrder: readonly Stage[]): string {
  return promotionOrder.at(-1)?.name ?? '';
}

/** The environments of the last stage; its name if the log has none of them. */
export function lastEnvironments(environments: readonly string[], promotionOrder: readonly Stage[]): string[] {
  const production = productionOf(promotionOrder);
  const own = environmentsIn(stagesOf(environments, promotionOrder), production);
  return own.length > 0 ? own : [production];
}

/** All stages with their environments, then the environments that are in none (stages.md 4.12). */
export function stageShapes(environments: readonly string[], promotionOrder: readonly Stage[]): BoardFacts['stages'] {
  const staged = stagesOf(environments, promotionOrder);
  const inStage = new Set(staged.map(({ environment }) => environment));
  const stages = promotionOrder.map(({ name }, at) => ({
    name,
    environments: environmentsIn(staged, name),
    production: at === promotionOrder.length - 1,
  }));
  const others = environments.filter((environment) => !inStage.has(environment));
  return [...stages, { name: null, environments: others, production: false }];
}

/**
 * The names of the stages in order, each with its conversion to the next stage. The conversion is not capped; it is
 * null for the last stage and for a count of zero.
 */
export function funnel(stages: readonly string[], counts: readonly StageCount[]) {
  const countOf = (stage: string) => counts.find(({ environment }) => environment === stage)?.count ?? 0;
  return stages.map((environment, index) => {
    const count = countOf(environment);
    const next = stages[index + 1];
    return { environment, count, conversion: next === undefined || count === 0 ? null : countOf(next) / count };
  });
}
