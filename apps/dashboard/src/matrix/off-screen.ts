import type { Line } from '../board/arrangement.ts';
import type { SlotBox } from '../board/box.ts';
import type { Column } from '../board/columns.ts';
import type { CellPosition } from './keyboard.ts';
import type { Range } from './layout.ts';

export const edges = ['above', 'below', 'left', 'right'] as const;
export type Edge = (typeof edges)[number];

/** The number of failures beyond an edge of the screen, and the position of the nearest one. */
interface Beyond {
  readonly count: number;
  readonly nearest: CellPosition;
}

export type OffScreen = Partial<Record<Edge, Beyond>>;

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

/** The failures beyond each edge of the screen. A failure beyond a corner counts as above or below. */
export function offScreenOf(positions: readonly CellPosition[], { rows, columns, scrolled }: Visible): OffScreen {
  const edgeOf = ({ row, column }: CellPosition): Edge | undefined => {
    if (row < rows.from) return 'above';
    if (row >= rows.until) return 'below';
    if (column >= scrolled) return undefined;
    return column < columns.from ? 'left' : column >= columns.until ? 'right' : undefined;
  };
  const offScreen: OffScreen = {};
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

/** The position that is nearer to the visible area. `one` is not below `other`. */
function nearer(edge: Edge, one: CellPosition, other: CellPosition): CellPosition {
  if (edge === 'above') return other.row > one.row ? other : one;
  if (edge === 'below') return one;
  return edge === 'left' ? (other.column > one.column ? other : one) : other.column < one.column ? other : one;
}

/** The part of a sorted list of edges that lies fully within a range. */
export function fullyVisible(tops: readonly number[], start: number, length: number): Range {
  const from = tops.findIndex((top) => top >= start);
  const after = tops.findIndex((top) => top > start + length);
  return { from: Math.max(0, from), until: after < 0 ? tops.length - 1 : Math.max(0, after - 1) };
}
