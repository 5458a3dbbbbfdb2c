/** Each item may open a connection, and a busy machine is too slow to read from hundreds of connections at once. */
const atOnce = 50;

/** Calls a function for each item, with fifty calls at a time. */
export async function inGroups<Item>(
  items: readonly Item[],
  work: (item: Item, index: number) => Promise<unknown>,
): Promise<void> {
  for (let from = 0; from < items.length; from += atOnce) {
    await Promise.all(items.slice(from, from + atOnce).map((item, index) => work(item, from + index)));
  }
}
