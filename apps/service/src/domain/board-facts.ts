import { type Stage, stageFinder } from '@shiplog/text';

/** A place, and what it is compared with. */
export interface StagePair {
  readonly service: string;
  /** The nearest earlier stage in which the service has a success. */
  readonly stage: Stage;
  /** The environment of that stage with the latest success. */
  readonly from: string;
  readonly to: string;
}

/**
 * For each success in a stage after the first: the nearest earlier stage in which the service has a success
 * (board-facts.md 3.6, stages.md 4.13). The successes of a service are sorted, latest first.
 */
export function stagePairs(
  successes: readonly { readonly service: string; readonly environment: string }[],
  promotionOrder: readonly Stage[],
): StagePair[] {
  const stageOf = stageFinder(promotionOrder);
  const rank = new Map(promotionOrder.map((stage, at) => [stage, at]));
  const byService = new Map<string, { environment: string; stage: Stage; at: number }[]>();
  for (const { service, environment } of successes) {
    const stage = stageOf(environment);
    if (!stage) continue;
    const own = byService.get(service) ?? [];
    own.push({ environment, stage, at: rank.get(stage) ?? -1 });
    byService.set(service, own);
  }
  return [...byService].flatMap(([service, own]) =>
    own.flatMap(({ environment: to, at }) => {
      const nearest = Math.max(-1, ...own.filter((other) => other.at < at).map((other) => other.at));
      const from = own.find((other) => other.at === nearest);
      return from ? [{ service, stage: from.stage, from: from.environment, to }] : [];
    }),
  );
}
