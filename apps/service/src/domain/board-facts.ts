/** A place, and the environment of the nearest earlier stage that it is compared with. */
export interface StagePair {
  readonly service: string;
  readonly from: string;
  readonly to: string;
}

/**
 * For each success in a stage after the first: the nearest earlier stage in which the service has a success
 * (board-facts.md 3.6). Of several environments of one stage, the first in the list counts.
 */
export function stagePairs(
  successes: readonly { readonly service: string; readonly environment: string }[],
  promotionOrder: readonly string[],
): StagePair[] {
  const rank = new Map(promotionOrder.map((stage, at) => [stage.toLowerCase(), at]));
  const byService = new Map<string, { readonly environment: string; readonly at: number }[]>();
  for (const { service, environment } of successes) {
    const at = rank.get(environment.toLowerCase());
    if (at === undefined) continue;
    const own = byService.get(service) ?? [];
    own.push({ environment, at });
    byService.set(service, own);
  }
  return [...byService].flatMap(([service, own]) =>
    own.flatMap(({ environment: to, at }) => {
      const nearest = Math.max(-1, ...own.filter((other) => other.at < at).map((other) => other.at));
      const from = own.find((other) => other.at === nearest);
      return from ? [{ service, from: from.environment, to }] : [];
    }),
  );
}
