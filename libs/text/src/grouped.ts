/** Groups values by key, in order of first occurrence (`Map.groupBy`, missing in Node 20). */
export function grouped<Value, Key = string>(
  values: Iterable<Value>,
  keyOf: (value: Value) => NoInfer<Key>,
): Map<Key, Value[]> {
  const groups = new Map<Key, Value[]>();
  for (const value of values) {
    const key = keyOf(value);
    const group = groups.get(key);
    if (group) group.push(value);
    else groups.set(key, [value]);
  }
  return groups;
}
