import { grouped } from '../board/grouped.ts';

/** Columns of items, each from top to bottom. */
export type Layers = readonly (readonly string[])[];

/** A line from an item of one column to one of the next. */
export interface Link {
  readonly from: string;
  readonly to: string;
}

type Neighbours = ReadonlyMap<string, readonly string[]>;
type Positions = ReadonlyMap<string, number>;

/** Passes over each beginning: fewer for many lines, so that even a hostile graph is drawn at once. */
const passesMax = 24;
const passesMin = 2;
const linesPassedMax = 6000;
const roundsMax = 8;

/**
 * The same columns in an order in which fewer lines cross, or as they are where none was found. Columns are sorted by
 * the mean position of what their items are linked to, in turn from the left and from the right, and neighbours change
 * places where that helps (as Gansner and others describe it, 1993); from three beginnings, since each may end in another
 * order.
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
      // Items with equal means stand the other way round in every second turn.
      const from = pass % 4 < 2 ? order : order.map((layer) => layer.toReversed());
      const swept = pass % 2 === 0 ? sweptBy(from, before) : sweptBy(from.toReversed(), after).toReversed();
      order = swapped(swept, before, after);
      const count = crossingsIn(order, after);
      if (count < least) [best, least] = [order, count];
    }
  }
  return best;
}

/** Columns in the order in which their items are come to by the links. */
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

/** The number of lines that cross. */
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

/** How many pairs of numbers below `size` stand the wrong way round, by a tree of counts (Fenwick). */
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

/** From the second column on, each sorted by the mean position of the neighbours in the one before; without any, an item keeps its place. */
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

/** With neighbours in one column in each other's place as long as that leaves fewer crossings. */
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

/** How many crossings fewer there are when two neighbours change places. */
function gainOf(upper: Sides, lower: Sides): number {
  return [0, 1].reduce((gain, side) => {
    const [one, other] = [upper[side] ?? [], lower[side] ?? []];
    return gain + pairs(one, other) - pairs(other, one);
  }, 0);
}

/** In how many pairs the first is greater; both lists are sorted. */
function pairs(greater: readonly number[], less: readonly number[]): number {
  let below = 0;
  return greater.reduce((sum, number) => {
    while (below < less.length && (less[below] ?? 0) < number) below += 1;
    return sum + below;
  }, 0);
}
