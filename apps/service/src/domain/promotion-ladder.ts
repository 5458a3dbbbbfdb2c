/** How many deployments reached one stage. */
export interface StageCount {
  readonly environment: string;
  readonly count: number;
}

/** Which stage of the ladder each environment is, by name without regard to case; others are no stage (reading 5.11). */
export function stagesOf(
  environments: readonly string[],
  ladder: readonly string[],
): { readonly environment: string; readonly stage: string }[] {
  const stages = new Map(ladder.map((stage) => [stage.toLowerCase(), stage]));
  return environments.flatMap((environment) => {
    const stage = stages.get(environment.toLowerCase());
    return stage === undefined ? [] : [{ environment, stage }];
  });
}

/** The stages in order, each with the ratio of the next one to it: not capped, null at the end and after zero. */
export function funnel(ladder: readonly string[], counts: readonly StageCount[]) {
  const countOf = (stage: string) => counts.find(({ environment }) => environment === stage)?.count ?? 0;
  return ladder.map((environment, index) => {
    const count = countOf(environment);
    const next = ladder[index + 1];
    return { environment, count, conversion: next === undefined || count === 0 ? null : countOf(next) / count };
  });
}
