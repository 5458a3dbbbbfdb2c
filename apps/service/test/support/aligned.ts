/** The expected value. A number that differs from the actual one only in its last digits is replaced by it. */
export function aligned(due: unknown, said: unknown): unknown {
  if (typeof due === 'number' && typeof said === 'number') {
    return Math.abs(due - said) <= 1e-9 * Math.abs(due) ? said : due;
  }
  if (Array.isArray(due) && Array.isArray(said)) return due.map((member, index) => aligned(member, said[index]));
  if (typeof due !== 'object' || due === null || typeof said !== 'object' || said === null) return due;
  const members = said as Readonly<Record<string, unknown>>;
  return Object.fromEntries(Object.entries(due).map(([name, member]) => [name, aligned(member, members[name])]));
}
