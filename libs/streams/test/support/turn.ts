/** Resolves when everything that could go on by itself has gone on. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
