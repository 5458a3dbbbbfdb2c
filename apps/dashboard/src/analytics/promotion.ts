import type { PromotionFunnelReport } from '@shiplog/contract';

type Stages = PromotionFunnelReport['stages'];

/** The minimum number of deployments that skipped the previous stage; 0 if unknown. A share could exceed 100 %. */
export function straightTo(stages: Stages, index: number): number {
  const before = stages[index - 1];
  return before ? Math.max(0, (stages[index]?.count ?? 0) - before.count) : 0;
}

/** For the last stage: "46 reached preprod, 53 reached prod; at least 7 came directly to prod". */
export function promotionSentence(stages: Stages): string | undefined {
  const [last, before] = [stages.at(-1), stages.at(-2)];
  if (!last || !before || last.count + before.count === 0) return undefined;
  const straight = straightTo(stages, stages.length - 1);
  const reached = `${before.count} reached ${before.environment}, ${last.count} reached ${last.environment}`;
  return straight === 0 ? `${reached}.` : `${reached}; at least ${straight} came directly to ${last.environment}.`;
}
