/** Compares by code point, as the service sorts its lists (reading 4.1); JavaScript compares UTF-16 code units. */
export function byCodePoint(left: string, right: string): number {
  const [one, other] = [[...left], [...right]];
  for (const [index, character] of one.entries()) {
    const difference = (character.codePointAt(0) ?? 0) - (other[index]?.codePointAt(0) ?? -1);
    if (difference !== 0) return difference;
  }
  return one.length - other.length;
}
