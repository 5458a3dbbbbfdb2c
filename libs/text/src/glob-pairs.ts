import { tokensOf } from './glob.ts';

/** Whether some name matches both globs. */
export function globsMeet(one: string, other: string): boolean {
  const [left, right] = [tokensOf(one), tokensOf(other)];
  const known = new Map<number, boolean>();
  const meet = (i: number, j: number): boolean => {
    const key = i * (right.length + 1) + j;
    const before = known.get(key);
    if (before !== undefined) return before;
    const result = rest(i, j);
    known.set(key, result);
    return result;
  };
  const rest = (i: number, j: number): boolean => {
    const [a, b] = [left[i], right[j]];
    if (a === undefined && b === undefined) return true;
    // A star matches nothing, or what the next part of the other glob matches.
    if (a === '*' && (meet(i + 1, j) || (b !== undefined && meet(i, j + 1)))) return true;
    if (b === '*' && (meet(i, j + 1) || (a !== undefined && meet(i + 1, j)))) return true;
    if (a === undefined || b === undefined || a === '*' || b === '*') return false;
    return (a === '?' || b === '?' || literal(a) === literal(b)) && meet(i + 1, j + 1);
  };
  return meet(0, 0);
}

/**
 * Whether every name that a glob matches also matches another glob: `*` is covered by `*` alone, `?` by `?` or `*`, and
 * a character by itself, `?` or `*`.
 */
export function globCovers(wide: string, narrow: string): boolean {
  const [cover, covered] = [tokensOf(wide), tokensOf(narrow)];
  let reached = new Set([0]);
  const skipStars = (at: number): number[] => (cover[at] === '*' ? [at, ...skipStars(at + 1)] : [at]);
  for (const token of covered) {
    const next = new Set<number>();
    for (const at of [...reached].flatMap(skipStars)) {
      const by = cover[at];
      if (by === '*') next.add(at);
      else if (by !== undefined && token !== '*' && (by === '?' || (token !== '?' && literal(by) === literal(token))))
        next.add(at + 1);
    }
    reached = next;
  }
  return [...reached].flatMap(skipStars).includes(cover.length);
}

function literal(token: string): string {
  return token.length > 1 && token.startsWith('\\') ? token.slice(1) : token;
}
