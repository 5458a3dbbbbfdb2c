/** Each item may open a connection, and a busy machine takes too long to read from hundreds at once. */
const atOnce = 50;

/** Calls a function for each item, for fifty items at a time. */
export async function inGroups<Item>(
  items: readonly Item[],
  work: (item: Item, index: number) => Promise<unknown>,
): Promise<void> {
  for (let from = 0; from < items.length; from += atOnce) {
    await Promise.all(items.slice(from, from + atOnce).map((item, index) => work(item, from + index)));
  }
}
