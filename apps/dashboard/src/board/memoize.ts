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

/** Wraps a function so that it computes once per object. */
export function memoizePer<Key extends object, Result>(compute: (key: Key) => Result): (key: Key) => Result {
  const results = new WeakMap<Key, { readonly result: Result }>();
  return (key) => {
    const known = results.get(key);
    if (known) return known.result;
    const result = compute(key);
    results.set(key, { result });
    return result;
  };
}

/**
 * Computes once per row. An unchanged row is the same object in the next board, so a change to one service costs one
 * computation instead of one for each of fifty thousand slots.
 */
export function memoizePerRow<Result>(compute: (row: MatrixRow) => Result): (row: MatrixRow) => Result {
  return memoizePer(compute);
}
