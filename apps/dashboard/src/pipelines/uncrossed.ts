import { grouped } from '../board/grouped.ts';

/** Columns of items, top to bottom. */
export type Layers = readonly (readonly string[])[];

/** A line between items of adjacent columns. */
export interface Link {
  readonly from: string;
  readonly to: string;
}

type Neighbours = ReadonlyMap<string, readonly string[]>;
type Positions = ReadonlyMap<string, number>;

/** The maximum number of passes for each initial order. Many lines get fewer, so that any graph is drawn at once. */
const passesMax = 24;
const passesMin = 2;
const linesPassedMax = 6000;
const roundsMax = 8;

/**
 * Reorders columns to reduce crossings; returns the same columns if it can't. Sorts each column by the mean position of
 * its neighbours, alternately from the left and from the right, and swaps adjacent items if that removes crossings
 * (Gansner and others, 1993). Tries three initial orders, because each may give another result.
 */
export function uncrossed(layers: Layers, links: readonly Link[]): Layers {
  const before = namesOf(
    links,
    ({ to }) => to,
    ({ from }) => from,
  );
  const after = namesOf(
    links,
    ({ from }) => from,
    ({ to }) => to,
  );
  let best = layers;
  let least = crossingsIn(layers, after);
  const passes = Math.max(passesMin, Math.min(passesMax, Math.floor(linesPassedMax / links.length)));
  for (const start of [
    () => layers,
    () => walked(layers, after),
    () => walked(layers.toReversed(), before).toReversed(),
  ]) {
    if (least === 0) return best;
    let order = start();
    for (let pass = 0; pass < passes && least > 0; pass += 1) {
      // Swap items with equal means in every second pair of passes.
      const from = pass % 4 < 2 ? order : order.map((layer) => layer.toReversed());
      const swept = pass % 2 === 0 ? sweptBy(from, before) : sweptBy(from.toReversed(), after).toReversed();
      order = swapped(swept, before, after);
      const count = crossingsIn(order, after);
      if (count < least) [best, least] = [order, count];
    }
  }
  return best;
}

/** The columns, each in the order in which the links reach its items. */
function walked(layers: Layers, after: Neighbours): Layers {
  const seen = new Set<string>();
  const open = layers.flat().reverse();
  for (let item = open.pop(); item !== undefined; item = open.pop()) {
    if (seen.has(item)) continue;
    seen.add(item);
    open.push(...(after.get(item) ?? []).toReversed());
  }
  const rank = new Map([...seen].map((item, index) => [item, index]));
  return layers.map((layer) => layer.toSorted((one, other) => (rank.get(one) ?? 0) - (rank.get(other) ?? 0)));
}

function namesOf(links: readonly Link[], key: (link: Link) => string, name: (link: Link) => string): Neighbours {
  return new Map([...grouped(links, key)].map(([item, own]) => [item, own.map(name)]));
}

function crossingsIn(layers: Layers, after: Neighbours): number {
  const crossings = layers.slice(0, -1).map((layer, column) => {
    const positions = positionsIn(layers[column + 1] ?? []);
    const ends = layer.flatMap((item) => sorted(after.get(item), positions));
    return inversionsIn(ends, positions.size);
  });
  return crossings.reduce((sum, count) => sum + count, 0);
}

function positionsIn(layer: readonly string[]): Positions {
  return new Map(layer.map((item, position) => [item, position]));
}

function sorted(items: readonly string[] | undefined, positions: Positions): number[] {
  return (items ?? []).flatMap((item) => positions.get(item) ?? []).sort((one, other) => one - other);
}

/** The number of inversions in numbers below `size`, by a Fenwick tree. */
function inversionsIn(numbers: readonly number[], size: number): number {
  const counts = new Array<number>(size + 1).fill(0);
  let inversions = 0;
  for (const [index, number] of numbers.entries()) {
    let notGreater = 0;
    for (let at = number + 1; at > 0; at -= at & -at) notGreater += counts[at] ?? 0;
    inversions += index - notGreater;
    for (let at = number + 1; at <= size; at += at & -at) counts[at] = (counts[at] ?? 0) + 1;
  }
  return inversions;
}

/**
 * Sorts each column except the first by the mean position of the neighbours in the previous column. Items without
 * neighbours keep their position.
 */
function sweptBy(layers: Layers, neighbours: Neighbours): Layers {
  const done: (readonly string[])[] = [];
  for (const layer of layers) {
    const positions = positionsIn(done.at(-1) ?? []);
    const keyed = layer.map((item, index) => ({ item, key: mean(sorted(neighbours.get(item), positions)) ?? index }));
    done.push(keyed.sort((one, other) => one.key - other.key).map(({ item }) => item));
  }
  return done;
}

function mean(numbers: readonly number[]): number | undefined {
  return numbers.length === 0 ? undefined : numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}

/** Swaps adjacent items while that removes crossings. */
function swapped(layers: Layers, before: Neighbours, after: Neighbours): Layers {
  const order = layers.map((layer) => [...layer]);
  for (let round = 0, hasHelped = true; hasHelped && round < roundsMax; round += 1) {
    hasHelped = false;
    for (const [column, layer] of order.entries()) {
      const [left, right] = [positionsIn(order[column - 1] ?? []), positionsIn(order[column + 1] ?? [])];
      const sides = new Map<string, Sides>(
        layer.map((item) => [item, [sorted(before.get(item), left), sorted(after.get(item), right)]]),
      );
      for (let at = 0; at + 1 < layer.length; at += 1) {
        const [upper = '', lower = ''] = layer.slice(at, at + 2);
        if (gainOf(sides.get(upper) ?? alone, sides.get(lower) ?? alone) <= 0) continue;
        layer.splice(at, 2, lower, upper);
        hasHelped = true;
      }
    }
  }
  return order;
}

type Sides = readonly [left: readonly number[], right: readonly number[]];

const alone: Sides = [[], []];

/** The number of crossings removed by swapping two adjacent items. */
function gainOf(upper: Sides, lower: Sides): number {
  return [0, 1].reduce((gain, side) => {
    const [one, other] = [upper[side] ?? [], lower[side] ?? []];
    return gain + pairs(one, other) - pairs(other, one);
  }, 0);
}

/** The number of pairs in which the first is greater; both lists are sorted. */
function pairs(greater: readonly number[], less: readonly number[]): number {
  let below = 0;
  return greater.reduce((sum, number) => {
    while (below < less.length && (less[below] ?? 0) < number) below += 1;
    return sum + below;
  }, 0);
}
