/** Positions in the grid, in pixels: rows have different heights, columns one width. */
export interface Lines {
  /** The top of each row, and the bottom of the last one. */
  readonly tops: readonly number[];
}

export interface Density {
  readonly rowHeight: number;
  /** What each line under the first adds, from the second one on. */
  readonly lineHeight: number;
  readonly columnWidthMin: number;
  readonly nameWidth: number;
}

/** The spacing of the board: normal, one line a row, or for a wall display. */
export const densities = {
  normal: { rowHeight: 62, lineHeight: 20, columnWidthMin: 168, nameWidth: 190 },
  compact: { rowHeight: 36, lineHeight: 0, columnWidthMin: 160, nameWidth: 168 },
  wall: { rowHeight: 76, lineHeight: 24, columnWidthMin: 240, nameWidth: 280 },
} as const satisfies Record<string, Density>;

/** A row is as high as its highest cell; the normal height has room for one line below the first. */
export function linesOf(linesUnder: readonly number[], { rowHeight, lineHeight }: Density): Lines {
  const tops = [0];
  let top = 0;
  for (const lines of linesUnder) {
    top += rowHeight + Math.max(0, lines - 1) * lineHeight;
    tops.push(top);
  }
  return { tops };
}

export interface Range {
  /** The first one, and the one after the last. */
  readonly from: number;
  readonly until: number;
}

/** The part of a sorted list of positions that is visible, with some more on each side. */
export function visibleRange(
  tops: readonly number[],
  { start, length, spare }: { start: number; length: number; spare: number },
): Range {
  const count = tops.length - 1;
  const from = Math.max(0, lastAtMost(tops, start) - spare);
  const until = Math.min(count, lastAtMost(tops, start + length) + 1 + spare);
  return { from, until: Math.max(from, until) };
}

/** The index of the last position that is not beyond this one. */
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

/** Columns share the room. If it is too little, each has its minimum width and they scroll. */
export function columnWidth(room: number, columns: number, { columnWidthMin, nameWidth }: Density): number {
  return columns === 0 ? columnWidthMin : Math.max(columnWidthMin, Math.floor((room - nameWidth) / columns));
}

/** The edges of the page beside the board. */
const besidePx = 42;

/** The width of a window with room for all columns. */
export function boardWidth(columns: number, { columnWidthMin, nameWidth }: Density): number {
  return nameWidth + columns * columnWidthMin + besidePx;
}
