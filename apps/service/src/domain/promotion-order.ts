/** The number of deployments that reached one stage. */
export interface StageCount {
  readonly environment: string;
  readonly count: number;
}

/** The environments that are stages of the promotion order. The comparison ignores case (reading 5.11). */
export function stagesOf(
  environments: readonly string[],
  promotionOrder: readonly string[],
): { readonly environment: string; readonly stage: string }[] {
  const stages = new Map(promotionOrder.map((stage) => [stage.toLowerCase(), stage]));
  return environments.flatMap((environment) => {
    const stage = stages.get(environment.toLowerCase());
    return stage === undefined ? [] : [{ environment, stage }];
  });
}

/**
 * The stages in order, each with its conversion to the next stage. The conversion is not capped; it is null for the
 * last stage and for a count of zero.
 */
export function funnel(promotionOrder: readonly string[], counts: readonly StageCount[]) {
  const countOf = (stage: string) => counts.find(({ environment }) => environment === stage)?.count ?? 0;
  return promotionOrder.map((environment, index) => {
    const count = countOf(environment);
    const next = promotionOrder[index + 1];
    return { environment, count, conversion: next === undefined || count === 0 ? null : countOf(next) / count };
  });
}
