import { mockLimits } from '@shiplog/companions';
import { byCodePoint } from '@shiplog/contract';

const ranks = new Map<string, number>(mockLimits.environmentOrder.map((name, rank) => [name, rank]));

/** Sorts environments by promotion order, then by code point (reading 10.1). */
export function byLadder(a: string, b: string): number {
  return (ranks.get(a) ?? ranks.size) - (ranks.get(b) ?? ranks.size) || byCodePoint(a, b);
}

export function sortedDistinct(names: Iterable<string>, order: (a: string, b: string) => number): string[] {
  return [...new Set(names)].sort(order);
}
