/**
 * How many values must move to reach another order; the longest run in order can stay. Ignores values that the order
 * does not contain.
 */
export function movesBetween(stands: readonly string[], order: readonly string[]): number {
  const positions = new Map(order.map((value, position) => [value, position]));
  const due = stands.flatMap((value) => positions.get(value) ?? []);
  return due.length - longestRise(due);
}

/** The length of the longest rising sequence in some different numbers. */
function longestRise(numbers: readonly number[]): number {
  /** The smallest number that ends a rise of each length. */
  const ends: number[] = [];
  for (const number of numbers) {
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ends[middle] ?? 0) < number) low = middle + 1;
      else high = middle;
    }
    ends[low] = number;
  }
  return ends.length;
}
