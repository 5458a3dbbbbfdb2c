/** A list without an item that it has, or with one that it lacks. */
export function toggled(list: readonly string[], item: string): string[] {
  return list.includes(item) ? list.filter((other) => other !== item) : [...list, item];
}
