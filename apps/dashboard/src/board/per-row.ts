import type { MatrixRow } from '@shiplog/contract';

/**
 * The same function, computed once for each row. A row that did not change keeps its identity from board to board, so a
 * change of one service costs one computation, and not one for each of fifty thousand slots.
 */
export function perRow<Result>(compute: (row: MatrixRow) => Result): (row: MatrixRow) => Result {
  const results = new WeakMap<MatrixRow, { readonly result: Result }>();
  return (row) => {
    const known = results.get(row);
    if (known) return known.result;
    const result = compute(row);
    results.set(row, { result });
    return result;
  };
}
