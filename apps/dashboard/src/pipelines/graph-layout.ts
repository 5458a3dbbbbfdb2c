import { newestFirst } from '../board/board.ts';
import type { Edge, Graph, GraphNode } from './graph.ts';
import { uncrossed } from './uncrossed.ts';

/** Columns and rows count from 0. */
export interface PositionedNode {
  readonly node: GraphNode;
  readonly column: number;
  readonly row: number;
}

/** An edge with its row in each column that it passes, left to right. */
export interface Routed extends Edge {
  readonly bends: readonly { readonly column: number; readonly row: number }[];
}

export interface GraphLayout {
  /** Whether absent parents have a separate column to the left of the first environment. */
  readonly hasLead: boolean;
  readonly nodes: readonly PositionedNode[];
  readonly edges: readonly Routed[];
  readonly rows: number;
}

/** Occupies a row of a column: a node or a passing edge. */
interface Item {
  readonly key: string;
  readonly node: GraphNode | undefined;
  /** The keys of the items in earlier columns that have an edge to this item. */
  readonly after: string[];
  /** The keys of earlier attempts: nodes in the same column that have an edge to this item. */
  readonly beside: string[];
}

/**
 * The position of each node. Its environment determines the column. Its row is the mean row of its parents or the next
 * free row below, in an order with few crossings (decision 0024). An edge that passes columns occupies a row in each of
 * them, so that no line runs behind an unrelated node.
 */
export function positioned({ nodes, edges }: Graph, columns: readonly string[]): GraphLayout {
  const columnOf = columnsOf(nodes, edges, columns);
  const lanes = new Map<number, Item[]>();
  const add = (column: number, item: Item) => lanes.set(column, [...(lanes.get(column) ?? []), item]);
  const items = new Map<string, Item>();
  for (const node of nodes) {
    const item: Item = { key: node.key, node, after: [], beside: [] };
    items.set(node.key, item);
    add(columnOf(node.key), item);
  }
  for (const { from, to } of edges) {
    let last = from;
    for (let column = columnOf(from) + 1; column < columnOf(to); column++) {
      const key = bendKey(from, to, column);
      add(column, { key, node: undefined, after: [last], beside: [] });
      last = key;
    }
    const child = items.get(to);
    if (columnOf(from) < columnOf(to)) child?.after.push(last);
    if (columnOf(from) === columnOf(to)) child?.beside.push(from);
  }
  const rowOf = uncrossedRows(lanes, items);
  const bendsOf = ({ from, to }: Edge) => {
    const between = Math.max(0, columnOf(to) - columnOf(from) - 1);
    return Array.from({ length: between }, (_, index) => columnOf(from) + 1 + index).map((column) => ({
      column,
      row: rowOf.get(bendKey(from, to, column)) ?? 0,
    }));
  };
  return {
    hasLead: nodes.some(({ key, kind }) => kind === 'absent' && columnOf(key) === 0),
    nodes: nodes.map((node) => ({ node, column: columnOf(node.key), row: rowOf.get(node.key) ?? 0 })),
    edges: edges.map((edge) => ({ ...edge, bends: bendsOf(edge) })),
    rows: Math.max(0, ...rowOf.values()) + 1,
  };
}

function bendKey(from: string, to: string, column: number): string {
  return JSON.stringify([from, to, column, 'bend']);
}

/** An absent parent is left of its first child. If a child is in the first environment, all columns shift by one. */
function columnsOf(nodes: readonly GraphNode[], edges: readonly Edge[], columns: readonly string[]) {
  const column = new Map<string, number>();
  for (const node of nodes) if (node.kind === 'deployment') column.set(node.key, columns.indexOf(node.environment));
  for (const { key, kind } of nodes) {
    if (kind === 'deployment') continue;
    const ofChildren = edges.filter(({ from }) => from === key).map(({ to }) => column.get(to) ?? 0);
    column.set(key, Math.min(...ofChildren) - 1);
  }
  const lead = Math.min(0, ...column.values()) < 0 ? 1 : 0;
  return (key: string) => (column.get(key) ?? 0) + lead;
}

/** Assigns rows in an order with few crossings. Without crossings, the preferred order stays. */
function uncrossedRows(lanes: ReadonlyMap<number, readonly Item[]>, items: ReadonlyMap<string, Item>) {
  const columns = [...lanes].sort(([left], [right]) => left - right).map(([, lane]) => lane);
  const wished = rowsOf(columns, items, byWish);
  const rank = (rows: ReadonlyMap<string, number>) => (key: string) => rows.get(key) ?? 0;
  const before = columns.map((lane) =>
    lane.map(({ key }) => key).sort((one, other) => rank(wished)(one) - rank(wished)(other)),
  );
  // A retry uses the links of its first attempt.
  const links = columns.flatMap((lane) =>
    lane.flatMap((item) => firstOf(item, items).after.map((from) => ({ from, to: item.key }))),
  );
  const after = uncrossed(before, links);
  if (after === before) return wished;
  const places = new Map(after.flatMap((lane) => lane.map((key, place) => [key, place] as const)));
  return rowsOf(columns, items, (one, other) => rank(places)(one.item.key) - rank(places)(other.item.key));
}

/** An item with its preferred row. */
interface Wished {
  readonly item: Item;
  readonly wish: number;
}

function byWish(left: Wished, right: Wished): number {
  return left.wish - right.wish || byNewest(left.item.node, right.item.node);
}

function rowsOf(
  columns: readonly (readonly Item[])[],
  items: ReadonlyMap<string, Item>,
  order: (left: Wished, right: Wished) => number,
): Map<string, number> {
  const rowOf = new Map<string, number>();
  for (const lane of columns) {
    const wished = lane.map((item) => ({ item, wish: wishOf(firstOf(item, items), rowOf) })).sort(order);
    let free = 0;
    for (const { item, wish } of wished) {
      const row = wish === nowhere ? free : Math.max(free, Math.floor(wish));
      rowOf.set(item.key, row);
      free = row + 1;
    }
  }
  return rowOf;
}

/**
 * The preferred row of an item without parents: below all others. Not `Infinity`, because `Infinity - Infinity` is
 * `NaN`.
 */
const nowhere = Number.MAX_VALUE;

/** The first attempt of a node, which was promoted from an earlier environment. Stops if the attempts form a cycle. */
function firstOf(item: Item, items: ReadonlyMap<string, Item>): Item {
  const seen = new Set<string>();
  let at = item;
  while (at.after.length === 0 && !seen.has(at.key)) {
    seen.add(at.key);
    at = items.get(at.beside[0] ?? '') ?? at;
  }
  return at;
}

/** The mean row of an item's parents. */
function wishOf({ after }: Item, rowOf: ReadonlyMap<string, number>): number {
  const rows = after.flatMap((key) => rowOf.get(key) ?? []);
  return rows.length === 0 ? nowhere : rows.reduce((sum, row) => sum + row, 0) / rows.length;
}

/** Sorts deployments newest first, then absent parents, then passing edges. */
function byNewest(left: GraphNode | undefined, right: GraphNode | undefined): number {
  const rankOf = (node: GraphNode | undefined) => ['deployment', 'absent', undefined].indexOf(node?.kind);
  if (left?.kind === 'deployment' && right?.kind === 'deployment') return newestFirst(left.latest, right.latest);
  return rankOf(left) - rankOf(right);
}
