import type { MatrixRow } from '@shiplog/contract';

/**
 * The same question, asked once for each row: a row that nothing touched keeps its identity from board to board, so a
 * change of one service costs one answer, and not one for each of fifty thousand slots.
 */
export function perRow<Result>(compute: (row: MatrixRow) => Result): (row: MatrixRow) => Result {
  const results = new WeakMap<MatrixRow, { readonly result: Result }>();
  return (row) => {
    const known = results.get(row) ?? { result: compute(row) };
    results.set(row, known);
    return known.result;
  };
}
