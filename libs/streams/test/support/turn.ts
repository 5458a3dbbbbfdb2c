/** Resolves when all work that needs no more input is done. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
