import type { MatrixRow } from '@shiplog/contract';

export interface SteadyOrder {
  readonly rows: readonly MatrixRow[];
  /** How many of them do not stand where their name belongs. */
  readonly strays: number;
}

/**
 * Rows as they stood before, and under them those that have come: nothing moves under the pointer. `sorted` are all rows
 * in their order; `before` are services as they stood.
 */
export function steadyOrder(sorted: readonly MatrixRow[], before: readonly string[]): SteadyOrder {
  const positions = new Map(sorted.map(({ service }, position) => [service, position]));
  const stood = new Set(before);
  const names = [
    ...before.filter((name) => positions.has(name)),
    ...[...positions.keys()].filter((name) => !stood.has(name)),
  ];
  let furthest = -1;
  let strays = 0;
  for (const name of names) {
    const position = positions.get(name) ?? 0;
    if (position < furthest) strays += 1;
    furthest = Math.max(furthest, position);
  }
  return { rows: names.flatMap((name) => sorted[positions.get(name) ?? -1] ?? []), strays };
}
