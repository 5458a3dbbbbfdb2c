import type { Column } from '../board/columns.ts';

export interface Density {
  /** The height of a row with two lines in each cell. */
  readonly rowHeight: number;
  /** The height of the third line of a failed or stuck cell. */
  readonly lineHeight: number;
  readonly columnWidthMin: number;
  /** The heights of group lines and of the lines that name healthy services. */
  readonly groupHeight: number;
  readonly healthyHeight: number;
}

const compact = { rowHeight: 46, lineHeight: 18, columnWidthMin: 138, groupHeight: 32, healthyHeight: 29 };
export const densities = {
  compact,
  roomy: { ...compact, rowHeight: 58, groupHeight: 38, healthyHeight: 34 },
} as const satisfies Record<string, Density>;

export function rowHeightOf(hasThirdLine: boolean, { rowHeight, lineHeight }: Density): number {
  return rowHeight + Number(hasThirdLine) * lineHeight;
}

/** The top of each line, in pixels, and the bottom of the last; or the left edges of columns. */
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

/** The part of a sorted list of positions that lies fully within a window. */
export function fullyVisible(tops: readonly number[], start: number, length: number): Range {
  const from = firstWhere(tops, (top) => top >= start);
  return { from: from < tops.length ? from : 0, until: lastAtMost(tops, start + length) };
}

/** The index of the last of `tops` that is at most `position`. */
function lastAtMost(tops: readonly number[], position: number): number {
  return Math.max(0, firstWhere(tops, (top) => top > position) - 1);
}

/** The index of the first value that matches, in a list whose matching values are all at its end; its length if none. */
export function firstWhere<Value>(values: readonly Value[], matches: (value: Value) => boolean): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (matches(values[middle] as Value)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The indexes of a range in order, and the index of one that stays rendered outside of it. */
export function indexesIn({ from, until }: Range, kept: number | undefined): number[] {
  const indexes = Array.from({ length: Math.max(0, until - from) }, (_, offset) => from + offset);
  if (kept === undefined || (kept >= from && kept < until)) return indexes;
  return kept < from ? [kept, ...indexes] : [...indexes, kept];
}

/** The horizontal layout of the columns, in pixels. The last columns may be pinned at the right edge. */
export interface ColumnLayout {
  readonly nameWidth: number;
  readonly widths: readonly number[];
  /** The number of columns that scroll. */
  readonly scrolled: number;
  /** The left edge of each scrolling column, and the right edge of the last. */
  readonly lefts: readonly number[];
  /** The left edge of each pinned column in the pinned part, and the right edge of the last. */
  readonly pinnedLefts: readonly number[];
  readonly pinnedWidth: number;
}

const pinnedShare = 0.5;
/** The words of a folded stage name one of its environments, so its column is wider. */
const foldedExtra = 44;

interface Wanted {
  readonly columns: readonly Pick<Column, 'isFolded'>[];
  /** The number of last columns that should be pinned: production. */
  readonly pinned: number;
  readonly nameWidth: number;
  readonly columnWidthMin: number;
}

/**
 * Columns share the space; if it is too small, they have their minimum width and scroll. Columns are pinned only if they
 * leave half of the space to the others.
 */
export function columnLayout(room: number, { columns, pinned, nameWidth, columnWidthMin }: Wanted): ColumnLayout {
  const forColumns = room - nameWidth;
  const folded = columns.filter(({ isFolded }) => isFolded).length;
  const spare = forColumns - columns.length * columnWidthMin;
  // The space for names must not make columns scroll that would fit.
  const most = spare < 0 ? foldedExtra : Math.min(foldedExtra, Math.floor(spare / Math.max(1, folded)));
  const extras = columns.map(({ isFolded }) => (isFolded ? most : 0));
  const shared = forColumns - (topsOf(extras).at(-1) ?? 0);
  const width = Math.max(columnWidthMin, Math.floor(shared / Math.max(1, columns.length)));
  const widths = extras.map((extra) => width + extra);
  const begin = columns.length - pinned;
  const isPinned = begin > 0 && (topsOf(widths.slice(begin)).at(-1) ?? 0) <= pinnedShare * forColumns;
  const scrolled = isPinned ? begin : columns.length;
  const pinnedLefts = topsOf(widths.slice(scrolled));
  return {
    ...{ nameWidth, widths, scrolled, pinnedLefts },
    lefts: topsOf(widths.slice(0, scrolled)),
    pinnedWidth: pinnedLefts.at(-1) ?? 0,
  };
}

/** The left edge of a column, of a pinned one in the pinned part. */
export function leftOf(index: number, { nameWidth, scrolled, lefts, pinnedLefts }: ColumnLayout): number {
  return index < scrolled ? nameWidth + (lefts[index] ?? 0) : (pinnedLefts[index - scrolled] ?? 0);
}

/** Whether a line separates a column's stage from the one before. */
export function beginsStage(columns: readonly Column[], index: number, scrolled: number): boolean {
  return index > 0 && index !== scrolled && columns[index]?.stage !== columns[index - 1]?.stage;
}

export const nameWidths = { least: 140, usual: 272, narrow: 190, most: 600 } as const;

/** The width of the service column: as the viewer dragged it, or less in a narrow window. */
export function nameWidthIn(room: number, dragged: number | undefined): number {
  const { least, usual, narrow, most } = nameWidths;
  const wanted = dragged ?? (room < 1000 ? narrow : usual);
  return Math.max(least, Math.min(wanted, most, Math.floor(room / 2)));
}

/** The layout of a line, its columns and their visible part. */
export interface LineLayout extends Range {
  readonly lineKey: string;
  /** The index of the line among all lines. */
  readonly index: number;
  readonly top: number;
  readonly height: number;
  readonly columns: readonly Column[];
  readonly layout: ColumnLayout;
  /** The focused column in this line: -1 = the name; `undefined` = none. */
  readonly active: number | undefined;
}

export interface CellLayout {
  readonly column: Column;
  readonly index: number;
  readonly left: number;
  readonly width: number;
  /** Whether the cell has the keyboard focus. */
  readonly isActive: boolean;
  /** Whether a line separates this column's stage from the one before. */
  readonly beginsStage: boolean;
}
