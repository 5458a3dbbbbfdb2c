/** A cell of the grid. */
export interface CellPosition {
  readonly row: number;
  /** -1 is the name of the row. */
  readonly column: number;
}

const rowsPerPage = 8;

/** Where a key leads from a position, `undefined` for a key that leads nowhere. */
export function positionAfter(
  key: string,
  { row, column }: CellPosition,
  rows: number,
  columns: number,
): CellPosition | undefined {
  const at = (nextRow: number, nextColumn: number): CellPosition => ({
    row: Math.max(0, Math.min(rows - 1, nextRow)),
    column: Math.max(-1, Math.min(columns - 1, nextColumn)),
  });
  if (key === 'ArrowDown') return at(row + 1, column);
  if (key === 'ArrowUp') return at(row - 1, column);
  if (key === 'ArrowRight') return at(row, column + 1);
  if (key === 'ArrowLeft') return at(row, column - 1);
  if (key === 'PageDown') return at(row + rowsPerPage, column);
  if (key === 'PageUp') return at(row - rowsPerPage, column);
  if (key === 'Home') return at(row, -1);
  if (key === 'End') return at(row, columns - 1);
  return undefined;
}
