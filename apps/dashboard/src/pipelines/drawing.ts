import type { GraphLayout, Routed } from './graph-layout.ts';

/** The height of a node and the gap between rows, in pixels. */
const sizes = { height: 48, gap: 12 } as const;

/** The horizontal layout of the columns, in pixels. */
export interface Across {
  /** The space to the left of the first column. */
  readonly pad: number;
  readonly width: number;
  readonly gutter: number;
  /** The height of the column heads. */
  readonly head: number;
}

/** A graph with its own column heads. */
export const alone: Across = { pad: 16, width: 176, gutter: 40, head: 28 };

const gutter = 20;

/** Columns below the stages, which begin at `left` and are `step` wide. A lead adds one column before them. */
export function under({ left, step }: { readonly left: number; readonly step: number }, hasLead: boolean): Across {
  return { pad: left + gutter / 2 - (hasLead ? step : 0), width: step - gutter, gutter, head: hasLead ? 28 : 8 };
}

/** An edge as a path, with its tip, the position of a cross and its right end; `turn` is the direction of the tip. */
export interface Line {
  readonly path: string;
  readonly tip: { readonly x: number; readonly y: number; readonly turn: 'right' | 'left' };
  readonly middle: { readonly x: number; readonly y: number };
  readonly right: number;
}

export function leftOf(column: number, { pad, width, gutter }: Across): number {
  return pad + column * (width + gutter);
}

export function topOf(row: number, { head }: Across): number {
  return head + row * (sizes.height + sizes.gap);
}

function centreOf(row: number, across: Across): number {
  return topOf(row, across) + sizes.height / 2;
}

/** The size of a drawing and its lines, in the order of the edges. */
export function drawingOf({ nodes, edges, rows }: GraphLayout, columns: number, across: Across) {
  const positions = new Map(nodes.map(({ node, column, row }) => [node.key, { column, row }]));
  let turns = 0;
  const lines = edges.map((edge) => {
    const [from, to] = [positions.get(edge.from) ?? nowhere, positions.get(edge.to) ?? nowhere];
    if (from.column < to.column) return onwards(from, to, edge, across);
    if (from.column === to.column) return beside(from, to, across);
    turns += 1;
    return backwards(from, to, turns % 3, across);
  });
  const right = Math.max(...lines.map(({ right }) => right), leftOf(columns, across) - across.gutter);
  return { lines, width: right + across.gutter / 2, height: topOf(rows, across) };
}

interface Position {
  readonly column: number;
  readonly row: number;
}

const nowhere: Position = { column: 0, row: 0 };
/** How far an edge within one column bends out of the column. */
const bulge = 24;

/** A line from the right side of a parent to the left side of its child. It crosses other columns horizontally. */
function onwards(from: Position, to: Position, { bends }: Pick<Routed, 'bends'>, across: Across): Line {
  let [x, y] = [leftOf(from.column, across) + across.width, centreOf(from.row, across)];
  let path = `M${x} ${y}`;
  const half = across.gutter / 2;
  for (const { column, row } of [...bends, to]) {
    const [nextX, nextY] = [leftOf(column, across), centreOf(row, across)];
    path += `C${x + half} ${y} ${nextX - half} ${nextY} ${nextX} ${nextY}`;
    if (column !== to.column) path += `h${across.width}`;
    [x, y] = [column === to.column ? nextX : nextX + across.width, nextY];
  }
  const before = bends.at(-1) ?? from;
  const middle = { x: x - half, y: (centreOf(before.row, across) + y) / 2 };
  return { path, tip: { x, y, turn: 'right' }, middle, right: x };
}

/** A line within one column: from the right side of the parent back to the right side of its child. */
function beside(from: Position, to: Position, across: Across): Line {
  const x = leftOf(from.column, across) + across.width;
  const [y, endY] = [centreOf(from.row, across) + 8, centreOf(to.row, across) - 8];
  const path = `M${x} ${y}C${x + bulge} ${y} ${x + bulge} ${endY} ${x} ${endY}`;
  return {
    path,
    tip: { x, y: endY, turn: 'left' },
    middle: { x: x + bulge * 0.75, y: (y + endY) / 2 },
    right: x + bulge,
  };
}

/** A line to an environment on the left. It runs between the columns and below the child's row, where no nodes are. */
function backwards(from: Position, to: Position, turn: number, across: Across): Line {
  const [x, endX] = [leftOf(from.column, across) + across.width, leftOf(to.column, across)];
  const [y, endY] = [centreOf(from.row, across) + 12, centreOf(to.row, across) + 12];
  // Different offsets, so that such lines don't overlap.
  const out = 8 + turn * 3;
  const below = topOf(to.row, across) + sizes.height + 3 + turn * 3;
  const path = `M${x} ${y}h${out}V${below}H${endX - 8 - turn * 2}V${endY}H${endX}`;
  return { path, tip: { x: endX, y: endY, turn: 'right' }, middle: { x: (x + endX) / 2, y: below }, right: x + out };
}
