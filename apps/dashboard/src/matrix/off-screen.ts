import type { Line } from '../board/arrangement.ts';
import type { SlotBox } from '../board/box.ts';
import type { Column } from '../board/columns.ts';
import type { CellPosition } from './keyboard.ts';
import { firstWhere, type Range } from './layout.ts';

export const edges = ['above', 'below', 'left', 'right'] as const;
export type Edge = (typeof edges)[number];

/** The positions of slots from top to bottom. A folded slot has the position of its folded line or column. */
export function positionsOf(
  found: readonly SlotBox[],
  lines: readonly Line[],
  columns: readonly Column[],
): CellPosition[] {
  const rowOf = new Map<string, number>();
  for (const [index, line] of lines.entries()) {
    if (line.kind === 'row') rowOf.set(line.row.service, index);
    else if (!line.isOpen) for (const { service } of line.rows) rowOf.set(service, index);
  }
  const columnOf = new Map(
    columns.flatMap(({ environments }, column) => environments.map((environment) => [environment, column] as const)),
  );
  const positions = found.flatMap(({ service, environment }) => {
    const [row, column] = [rowOf.get(service), columnOf.get(environment)];
    return row === undefined || column === undefined ? [] : [{ row, column }];
  });
  return positions.sort((one, other) => one.row - other.row || one.column - other.column);
}

/** The fully visible lines and columns, and how many columns scroll. */
interface Visible {
  readonly rows: Range;
  readonly columns: Range;
  readonly scrolled: number;
}

/** How many of the sorted positions lie beyond each edge of the screen. One beyond a corner counts as above or below. */
export function countsBeyond(positions: readonly CellPosition[], visible: Visible): Record<Edge, number> {
  const { from, until } = visible.rows;
  const first = firstWhere(positions, ({ row }) => row >= from);
  const end = firstWhere(positions, ({ row }) => row >= Math.max(from, until));
  const counts = { above: first, below: positions.length - end, left: 0, right: 0 };
  for (const position of positions.slice(first, end)) {
    const edge = edgeOf(position, visible);
    if (edge) counts[edge] += 1;
  }
  return counts;
}

/** Of the sorted positions beyond an edge of the screen, the one nearest to it. */
export function nearestBeyond(
  edge: Edge,
  positions: readonly CellPosition[],
  visible: Visible,
): CellPosition | undefined {
  const [first, ...others] = positions.filter((position) => edgeOf(position, visible) === edge);
  return first && others.reduce((one, other) => nearer(edge, one, other), first);
}

function edgeOf({ row, column }: CellPosition, { rows, columns, scrolled }: Visible): Edge | undefined {
  if (row < rows.from) return 'above';
  if (row >= rows.until) return 'below';
  if (column >= scrolled) return undefined;
  return column < columns.from ? 'left' : column >= columns.until ? 'right' : undefined;
}

/** The position that is nearer to the visible area. `one` is not below `other`. */
function nearer(edge: Edge, one: CellPosition, other: CellPosition): CellPosition {
  if (edge === 'above') return other.row > one.row ? other : one;
  if (edge === 'below') return one;
  return edge === 'left' ? (other.column > one.column ? other : one) : other.column < one.column ? other : one;
}
