/** Compares by code point, as the lists of the service are sorted (reading 4.1); JavaScript compares by UTF-16 unit. */
export function byCodePoint(left: string, right: string): number {
  const [one, other] = [[...left], [...right]];
  for (const [index, character] of one.entries()) {
    const difference = (character.codePointAt(0) ?? 0) - (other[index]?.codePointAt(0) ?? -1);
    if (difference !== 0) return difference;
  }
  return one.length - other.length;
}
