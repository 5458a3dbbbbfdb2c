/** How well a name matches typed text, 0 to 100; `undefined` = no match. An exact match is best. */
export function fit(typed: string, name: string): number | undefined {
  const [query, text] = [typed.trim().toLowerCase(), name.toLowerCase()];
  if (query === '') return 1;
  if (name === typed.trim()) return 100;
  if (text === query) return 98;
  if (text.startsWith(query)) return 80 + closeness(query, text);
  const at = text.indexOf(query);
  if (at > 0) return (isSeparator(text[at - 1]) ? 60 : 40) + closeness(query, text);
  const words = query.split(/\s+/);
  const isIn = words.length > 1 && words.every((word) => text.includes(word));
  return isIn ? 30 + closeness(query, text) : undefined;
}

/** A bonus for shorter names. It is smaller than the difference between two kinds of match. */
function closeness(query: string, text: string): number {
  return (15 * query.length) / text.length;
}

function isSeparator(sign: string | undefined): boolean {
  return sign !== undefined && /[^\p{L}\p{N}]/u.test(sign);
}

/** The best matches by name, best first; equal scores keep their order. */
export function best<Value>(
  typed: string,
  values: Iterable<Value>,
  namesOf: (value: Value) => readonly string[],
  count: number,
): { readonly value: Value; readonly score: number }[] {
  const found: { readonly value: Value; readonly score: number }[] = [];
  for (const value of values) {
    const scores = namesOf(value).flatMap((name) => fit(typed, name) ?? []);
    if (scores.length > 0) found.push({ value, score: Math.max(...scores) });
  }
  return found.sort((one, other) => other.score - one.score).slice(0, count);
}
