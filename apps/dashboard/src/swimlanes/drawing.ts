import type { GraphLayout, Routed } from './graph-layout.ts';

/** Pixels. */
export const sizes = { width: 176, height: 48, gutter: 40, gap: 12, head: 28, pad: 16 } as const;

/** The line of an edge as a path, with its tip, where a cross may stand, and how far right it goes; `turn` is how the tip points. */
export interface Line {
  readonly path: string;
  readonly tip: { readonly x: number; readonly y: number; readonly turn: 'right' | 'left' };
  readonly middle: { readonly x: number; readonly y: number };
  readonly right: number;
}

export function leftOf(column: number): number {
  return sizes.pad + column * (sizes.width + sizes.gutter);
}

export function topOf(row: number): number {
  return sizes.head + row * (sizes.height + sizes.gap);
}

function centreOf(row: number): number {
  return topOf(row) + sizes.height / 2;
}

/** The room that a drawing takes, and its lines in the order of the edges. */
export function drawingOf({ nodes, edges, rows }: GraphLayout, columns: number) {
  const positions = new Map(nodes.map(({ node, column, row }) => [node.key, { column, row }]));
  let turns = 0;
  const lines = edges.map((edge) => {
    const [from, to] = [positions.get(edge.from) ?? nowhere, positions.get(edge.to) ?? nowhere];
    if (from.column < to.column) return onwards(from, to, edge);
    if (from.column === to.column) return beside(from, to);
    turns += 1;
    return backwards(from, to, turns % 3);
  });
  const right = Math.max(...lines.map(({ right }) => right), leftOf(columns) - sizes.gutter);
  return { lines, width: right + sizes.pad, height: topOf(rows) };
}

interface Position {
  readonly column: number;
  readonly row: number;
}

const nowhere: Position = { column: 0, row: 0 };
/** How far an edge within one column bends out of it. */
const bulge = 24;

/** From the right side of a parent to the left side of its child, flat where it passes a column between. */
function onwards(from: Position, to: Position, { bends }: Pick<Routed, 'bends'>): Line {
  let [x, y] = [leftOf(from.column) + sizes.width, centreOf(from.row)];
  let path = `M${x} ${y}`;
  const half = sizes.gutter / 2;
  for (const { column, row } of [...bends, to]) {
    const [nextX, nextY] = [leftOf(column), centreOf(row)];
    path += `C${x + half} ${y} ${nextX - half} ${nextY} ${nextX} ${nextY}`;
    if (column !== to.column) path += `h${sizes.width}`;
    [x, y] = [column === to.column ? nextX : nextX + sizes.width, nextY];
  }
  const before = bends.at(-1) ?? from;
  const middle = { x: x - half, y: (centreOf(before.row) + y) / 2 };
  return { path, tip: { x, y, turn: 'right' }, middle, right: x };
}

/** In one column, out of the right side of the parent and back into that of its child. */
function beside(from: Position, to: Position): Line {
  const x = leftOf(from.column) + sizes.width;
  const [y, endY] = [centreOf(from.row) + 8, centreOf(to.row) - 8];
  const path = `M${x} ${y}C${x + bulge} ${y} ${x + bulge} ${endY} ${x} ${endY}`;
  return {
    path,
    tip: { x, y: endY, turn: 'left' },
    middle: { x: x + bulge * 0.75, y: (y + endY) / 2 },
    right: x + bulge,
  };
}

/** To an environment further left: through the gutters, and below the row of its child, where no node is in its way. */
function backwards(from: Position, to: Position, turn: number): Line {
  const [x, endX] = [leftOf(from.column) + sizes.width, leftOf(to.column)];
  const [y, endY] = [centreOf(from.row) + 12, centreOf(to.row) + 12];
  // Several such edges do not overlap.
  const out = 8 + turn * 3;
  const below = topOf(to.row) + sizes.height + 3 + turn * 3;
  const path = `M${x} ${y}h${out}V${below}H${endX - 8 - turn * 2}V${endY}H${endX}`;
  return { path, tip: { x: endX, y: endY, turn: 'right' }, middle: { x: (x + endX) / 2, y: below }, right: x + out };
}
