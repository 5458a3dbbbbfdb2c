import type { MatrixRow } from '@shiplog/contract';

/** Wraps a function so that it returns the last result when called with the same arguments again. */
export function memoizeLast<Arguments extends readonly unknown[], Result>(
  compute: (...args: Arguments) => Result,
): (...args: Arguments) => Result {
  let last: { readonly args: Arguments; readonly result: Result } | undefined;
  return (...args) => {
    if (!last || args.some((each, index) => !Object.is(each, last?.args[index]))) {
      last = { args, result: compute(...args) };
    }
    return last.result;
  };
}

/**
 * Wraps a function so that it computes once per row. A row that did not change keeps its identity from board to board, so
 * a change to one service costs one computation instead of one for each of fifty thousand slots.
 */
export function memoizePerRow<Result>(compute: (row: MatrixRow) => Result): (row: MatrixRow) => Result {
  const results = new WeakMap<MatrixRow, { readonly result: Result }>();
  return (row) => {
    const known = results.get(row);
    if (known) return known.result;
    const result = compute(row);
    results.set(row, { result });
    return result;
  };
}
