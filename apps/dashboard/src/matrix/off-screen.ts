import type { Line } from '../board/lines.ts';
import type { Found } from '../board/shown.ts';
import type { CellPosition } from './cell-position.ts';
import type { ColumnPlan } from './layout.ts';

/** The edges of the board. */
export const edges = ['above', 'below', 'left', 'right'] as const;
export type Edge = (typeof edges)[number];

/** How many failures are off screen beyond an edge, and the nearest. */
export interface OffScreen {
  readonly count: number;
  readonly nearest: CellPosition;
}

/** The positions of slots, or of the lines and columns they are folded into; from top to bottom. */
export function positionsOf(
  found: readonly Found[],
  lines: readonly Line[],
  { columns, others }: ColumnPlan,
): CellPosition[] {
  const rowOf = new Map<string, number>();
  for (const [index, line] of lines.entries()) {
    if (line.kind === 'row') rowOf.set(line.row.service, index);
    else if (!line.isOpen) for (const { service } of line.rows) rowOf.set(service, index);
  }
  const columnOf = new Map(columns.map((environment, column) => [environment, column]));
  const rolled = new Set(others);
  const positions = found.flatMap(({ service, environment }) => {
    const row = rowOf.get(service);
    const column = columnOf.get(environment) ?? (rolled.has(environment) ? columns.length : undefined);
    return row === undefined || column === undefined ? [] : [{ row, column }];
  });
  return positions.sort((one, other) => one.row - other.row || one.column - other.column);
}

interface Sight {
  /** The fully visible lines: the first, and the one after the last. */
  readonly rows: { readonly from: number; readonly until: number };
  /** The fully visible columns of those that scroll. */
  readonly columns: { readonly from: number; readonly until: number };
  readonly scrolled: number;
}

/** What is off screen beyond each edge; corners count as above or below. */
export function offScreenOf(
  positions: readonly CellPosition[],
  { rows, columns, scrolled }: Sight,
): Partial<Record<Edge, OffScreen>> {
  const edgeOf = ({ row, column }: CellPosition): Edge | undefined => {
    if (row < rows.from) return 'above';
    if (row >= rows.until) return 'below';
    if (column >= scrolled) return undefined;
    return column < columns.from ? 'left' : column >= columns.until ? 'right' : undefined;
  };
  const offScreen: Partial<Record<Edge, OffScreen>> = {};
  for (const position of positions) {
    const edge = edgeOf(position);
    if (!edge) continue;
    const known = offScreen[edge];
    offScreen[edge] = {
      count: (known?.count ?? 0) + 1,
      nearest: known ? nearer(edge, known.nearest, position) : position,
    };
  }
  return offScreen;
}

/** Positions arrive from top to bottom. */
function nearer(edge: Edge, one: CellPosition, other: CellPosition): CellPosition {
  if (edge === 'above') return other.row > one.row ? other : one;
  if (edge === 'below') return one;
  return edge === 'left' ? (other.column > one.column ? other : one) : other.column < one.column ? other : one;
}

/** The part of a sorted list of edges that lies fully within a range. */
export function wholly(tops: readonly number[], start: number, length: number): { from: number; until: number } {
  const from = tops.findIndex((top) => top >= start);
  const after = tops.findIndex((top) => top > start + length);
  return { from: Math.max(0, from), until: after < 0 ? tops.length - 1 : Math.max(0, after - 1) };
}
