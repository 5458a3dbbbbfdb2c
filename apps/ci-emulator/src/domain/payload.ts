/** GitHub does not document its limit; real payloads are far flatter. */
const levelsMax = 100;

/** The error in a deployment payload that is nested too deeply to be written as JSON. */
export function payloadFault(payload: object | string | undefined): string | undefined {
  let level: readonly unknown[] = [payload];
  for (let depth = 0; depth < levelsMax; depth += 1) {
    level = level.flatMap((value) => (typeof value === 'object' && value !== null ? Object.values(value) : []));
    if (level.length === 0) return undefined;
  }
  return `must not nest deeper than ${levelsMax} levels`;
}
