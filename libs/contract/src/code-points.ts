/** The order of the lists that the service sends (reading 4.1): by code point, where JavaScript's own is by UTF-16 unit. */
export function byCodePoint(left: string, right: string): number {
  const [one, other] = [[...left], [...right]];
  for (const [index, sign] of one.entries()) {
    const difference = (sign.codePointAt(0) ?? 0) - (other[index]?.codePointAt(0) ?? -1);
    if (difference !== 0) return difference;
  }
  return one.length - other.length;
}
