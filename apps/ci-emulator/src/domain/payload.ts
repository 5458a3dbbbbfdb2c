/** GitHub's own bound is not documented; nobody's payload nests so deep. */
const levelsMax = 100;

/** What is wrong with the payload of a deployment: one that nests deeper than JSON is written could be told to nobody. */
export function payloadFault(payload: object | string | undefined): string | undefined {
  let level: readonly unknown[] = [payload];
  for (let depth = 0; depth < levelsMax; depth += 1) {
    level = level.flatMap((value) => (typeof value === 'object' && value !== null ? Object.values(value) : []));
    if (level.length === 0) return undefined;
  }
  return `must not nest deeper than ${levelsMax} levels`;
}
