/** The expected value, with each number replaced by the actual number if they differ only in the last digits. */
export function aligned(due: unknown, said: unknown): unknown {
  if (typeof due === 'number' && typeof said === 'number') {
    return Math.abs(due - said) <= 1e-9 * Math.abs(due) ? said : due;
  }
  if (Array.isArray(due) && Array.isArray(said)) return due.map((member, index) => aligned(member, said[index]));
  if (typeof due !== 'object' || due === null || typeof said !== 'object' || said === null) return due;
  const members = said as Readonly<Record<string, unknown>>;
  return Object.fromEntries(Object.entries(due).map(([name, member]) => [name, aligned(member, members[name])]));
}
