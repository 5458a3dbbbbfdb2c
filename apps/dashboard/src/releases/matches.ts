import type { Release } from '@shiplog/contract';

/** The release name that `/api/releases/{service}/{version}` accepts. */
export function nameOf({ version, sha }: Pick<Release, 'version' | 'sha'>): string {
  return version ?? sha ?? '';
}

/** The release with exactly this name, or else the only match. */
export function meant(asked: string, items: readonly Release[]): Release | undefined {
  const exact = (same: (name: string) => boolean) => items.filter((item) => same(nameOf(item)));
  const found = [
    exact((name) => name === asked),
    exact((name) => name.toLowerCase() === asked.toLowerCase()),
    items,
  ].find((some) => some.length > 0);
  return found?.length === 1 ? found[0] : undefined;
}

/** The items with the names most similar to an unknown name, closest first. Equally similar items keep their order. */
export function nearest<Item>(asked: string, items: readonly Item[], named: (item: Item) => string, count = 3): Item[] {
  const wanted = asked.toLowerCase();
  return items
    .map((item) => ({ item, steps: stepsBetween(wanted, named(item).toLowerCase()) }))
    .sort((one, other) => one.steps - other.steps)
    .slice(0, count)
    .map(({ item }) => item);
}

const comparedSigns = 64;

/** Levenshtein distance. */
function stepsBetween(one: string, other: string): number {
  const [left, right] = [one.slice(0, comparedSigns), other.slice(0, comparedSigns)];
  let before = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (const [row, sign] of [...left].entries()) {
    const line = [row + 1];
    for (let at = 1; at <= right.length; at += 1) {
      const exchanged = (before[at - 1] ?? 0) + Number(right[at - 1] !== sign);
      line.push(Math.min(exchanged, (before[at] ?? 0) + 1, (line[at - 1] ?? 0) + 1));
    }
    before = line;
  }
  return before.at(-1) ?? 0;
}
