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

/** How many words of a text a name shares, 0 to 30, also with a typing error; `undefined` = none. */
export function near(typed: string, name: string): number | undefined {
  const wanted = wordsIn(typed).filter(({ length }) => length >= nearMin);
  const words = wordsIn(name);
  const isNear = (one: string) => words.some((other) => other.startsWith(one) || isMistyped(one, other));
  const shared = wanted.filter(isNear).length;
  return shared === 0 ? undefined : (30 * shared) / wanted.length;
}

/** Shorter words are in too many names. */
const nearMin = 3;
/** Shorter words differ by one letter too often. */
const mistypedMin = 4;

function wordsIn(text: string): string[] {
  return text.toLowerCase().split(/[^\p{L}\p{N}]+/u);
}

/** Whether one letter is wrong, missing or too many, or two are swapped. */
function isMistyped(typed: string, word: string): boolean {
  if (typed.length < mistypedMin || word.length < mistypedMin) return false;
  const same = [...typed].findIndex((letter, index) => letter !== word[index]);
  const [one, other] = [typed.slice(same), word.slice(same)];
  const isSwapped = one[0] === other[1] && one[1] === other[0] && one.slice(2) === other.slice(2);
  return isSwapped || [one, one.slice(1)].some((rest) => [other, other.slice(1)].includes(rest));
}

/** The best matches by name, best first; equal scores keep their order. */
export function best<Value>(
  typed: string,
  values: Iterable<Value>,
  namesOf: (value: Value) => readonly string[],
  count: number,
  score = fit,
): { readonly value: Value; readonly score: number }[] {
  const found: { readonly value: Value; readonly score: number }[] = [];
  for (const value of values) {
    const scores = namesOf(value).flatMap((name) => score(typed, name) ?? []);
    if (scores.length > 0) found.push({ value, score: Math.max(...scores) });
  }
  return found.sort((one, other) => other.score - one.score).slice(0, count);
}
