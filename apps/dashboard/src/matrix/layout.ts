import type { FutureRows } from '../board/future-rows.ts';

export interface Density {
  readonly rowHeight: number;
  /** The height of each text line in a cell after the first two. */
  readonly lineHeight: number;
  readonly columnWidthMin: number;
  readonly nameWidth: number;
  /** The heights of group lines and of the lines that name healthy services. */
  readonly groupHeight: number;
  readonly healthyHeight: number;
}

export const densities = {
  normal: { rowHeight: 62, lineHeight: 20, columnWidthMin: 168, nameWidth: 190, groupHeight: 36, healthyHeight: 32 },
  compact: { rowHeight: 36, lineHeight: 0, columnWidthMin: 160, nameWidth: 168, groupHeight: 32, healthyHeight: 28 },
} as const satisfies Record<string, Density>;

/** The height of a row whose tallest cell has this number of lines below the first. `rowHeight` fits one such line. */
export function rowHeightOf(linesUnder: number, { rowHeight, lineHeight }: Density): number {
  return rowHeight + Math.max(0, linesUnder - 1) * lineHeight;
}

/** The top of each line, in pixels, and the bottom of the last. */
export function topsOf(heights: readonly number[]): number[] {
  const tops = [0];
  let top = 0;
  for (const height of heights) {
    top += height;
    tops.push(top);
  }
  return tops;
}

export interface Range {
  /** `from` is the first index, `until` the index after the last. */
  readonly from: number;
  readonly until: number;
}

/** The visible part of a sorted list of positions, with `spare` more on each side. */
export function visibleRange(
  tops: readonly number[],
  { start, length, spare }: { start: number; length: number; spare: number },
): Range {
  const count = tops.length - 1;
  const from = Math.max(0, lastAtMost(tops, start) - spare);
  const until = Math.min(count, lastAtMost(tops, start + length) + 1 + spare);
  return { from, until: Math.max(from, until) };
}

/** The index of the last of `tops` that is at most `position`. */
function lastAtMost(tops: readonly number[], position: number): number {
  let low = 0;
  let high = tops.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((tops[middle] ?? 0) <= position) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The width of a column. Columns share the space; if it is too small, they have their minimum width and scroll. */
export function columnWidth(room: number, columns: number, { columnWidthMin, nameWidth }: Density): number {
  return columns === 0 ? columnWidthMin : Math.max(columnWidthMin, Math.floor((room - nameWidth) / columns));
}

/** The horizontal layout of the columns, in pixels. The last columns may be pinned at the right edge. */
export interface ColumnLayout {
  readonly nameWidth: number;
  readonly width: number;
  /** The number of columns that scroll. */
  readonly scrolled: number;
  /** The left edge of each scrolling column, and the right edge of the last. */
  readonly lefts: readonly number[];
  /** The width of the pinned part. */
  readonly pinnedWidth: number;
  /** The width of the column for the other environments; 0 = no such column. */
  readonly othersWidth: number;
}

const rolledWidth = 96;
const unrolledWidth = 36;

export interface ColumnPlan {
  /** Every environment of the view. */
  readonly all: readonly string[];
  /** The environments with their own column, from left to right. */
  readonly columns: readonly string[];
  /** Whether the last of `columns` is pinned at the right edge. */
  readonly isPinned: boolean;
  /** The environments that share one column. */
  readonly others: readonly string[];
  /** Whether each of the other environments is expanded into its own column. */
  readonly isUnrolled: boolean;
}

export function columnLayout(room: number, plan: Omit<ColumnPlan, 'all'>, density: Density): ColumnLayout {
  const { columns, isPinned, others, isUnrolled } = plan;
  const othersWidth = others.length > 0 ? rolledWidth : isUnrolled ? unrolledWidth : 0;
  const width = columnWidth(room - othersWidth, columns.length, density);
  const scrolled = columns.length - Number(isPinned);
  return {
    nameWidth: density.nameWidth,
    width,
    scrolled,
    lefts: Array.from({ length: scrolled + 1 }, (_, index) => index * width),
    pinnedWidth: Number(isPinned) * width + othersWidth,
    othersWidth,
  };
}

/** The layout of a line, its columns and their visible part. */
export interface LineLayout extends Range {
  readonly lineKey: string;
  /** The index of the line among all lines. */
  readonly index: number;
  readonly top: number;
  readonly height: number;
  readonly columns: readonly string[];
  /** The environments that share one cell. */
  readonly others: readonly string[];
  readonly futureRows: FutureRows;
  readonly layout: ColumnLayout;
  /**
   * The focused column in this line: -1 = the name; the number of columns = the other environments; `undefined` = none.
   */
  readonly active: number | undefined;
}

export interface CellLayout {
  readonly environment: string;
  /** The index of the cell's column. */
  readonly column: number;
  readonly left: number;
  readonly width: number;
  /** Whether the cell has the keyboard focus. */
  readonly isActive: boolean;
}
