import type { MatrixRow } from '@shiplog/contract';
import { useMemo, useRef, useState } from 'preact/hooks';
import { useAddress } from '../ui/app.ts';

export interface SteadyOrder {
  readonly rows: readonly MatrixRow[];
  /** The number of rows that are not in the order of their names. */
  readonly strays: number;
}

/**
 * Rows in the order that they had before, and new ones below: nothing moves under the pointer. `sorted` are all rows in
 * the order of their names; `before` are the services in their former order.
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

/** Rows that move only when the user filters or asks for it. A wall display has no such user, so there they are sorted. */
export function useSteadyOrder(sorted: readonly MatrixRow[]): SteadyOrder & { readonly update: () => void } {
  const { filter, columns, picked, quiet } = useAddress();
  const [asked, setAsked] = useState(0);
  const names = useRef<readonly string[]>([]);
  const wanted = useMemo(() => ({}), [filter, columns, picked, quiet, asked]);
  const stoodFor = useRef(wanted);
  const order = useMemo(() => {
    const next = steadyOrder(sorted, quiet || stoodFor.current !== wanted ? [] : names.current);
    names.current = next.rows.map(({ service }) => service);
    return next;
  }, [sorted, quiet, wanted]);
  stoodFor.current = wanted;
  return { ...order, update: () => setAsked(asked + 1) };
}
