/** The captured text, as it was written, by name. */
export type Captures = ReadonlyMap<string, string>;

/** A part of a pattern. Characters are code points, in lower case where they are ASCII. */
export type Token =
  | { readonly kind: 'character'; readonly character: string }
  | { readonly kind: 'any' }
  | { readonly kind: 'run'; readonly slashes: boolean }
  | { readonly kind: 'capture'; readonly name: string }
  | { readonly kind: 'words'; readonly name: string; readonly words: readonly (readonly string[])[] };

/** A text with its ASCII letters in lower case, and no other. */
export function foldedText(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

export function foldedCharacters(text: string): string[] {
  return [...foldedText(text)];
}

/** Where in a value a capture begins and ends. */
export type Span = readonly [from: number, to: number];

/**
 * The captures of a pattern that matches a whole value; `undefined` if it does not match. It checks each pair of a
 * token and a position once, so its time is at most their product (fetcher §3.2).
 */
export function spansOf(tokens: readonly Token[], value: readonly string[]): ReadonlyMap<string, Span> | undefined {
  const size = value.length;
  // rows[t][p]: the tokens from t on match the value from p on.
  const rows: Uint8Array[] = [];
  rows[tokens.length] = new Uint8Array(size + 1).fill(1, size);
  for (let at = tokens.length - 1; at >= 0; at -= 1) {
    rows[at] = rowOf(tokens[at] as Token, rows[at + 1] as Uint8Array, value);
  }
  if (!rows[0]?.[0]) return undefined;
  const spans = new Map<string, Span>();
  let from = 0;
  for (const [at, token] of tokens.entries()) {
    const to = endOf(token, from, rows[at + 1] as Uint8Array, value);
    if ('name' in token) spans.set(token.name, [from, to]);
    from = to;
  }
  return spans;
}

/** Where a token may begin, given where the remaining tokens may begin. */
function rowOf(token: Token, next: Uint8Array, value: readonly string[]): Uint8Array {
  const row = new Uint8Array(next.length);
  for (let at = next.length - 1; at >= 0; at -= 1) {
    row[at] = Number(begins(token, at, row, next, value));
  }
  return row;
}

function begins(token: Token, at: number, row: Uint8Array, next: Uint8Array, value: readonly string[]): boolean {
  const ended = at === value.length;
  switch (token.kind) {
    case 'character':
      return !ended && Boolean(next[at + 1]) && value[at] === token.character;
    case 'any':
      return !ended && Boolean(next[at + 1]);
    case 'run':
      return Boolean(next[at]) || (!ended && Boolean(row[at + 1]) && (token.slashes || value[at] !== '/'));
    case 'capture':
      return !ended && Boolean(next[at + 1] || row[at + 1]) && value[at] !== '/';
    case 'words':
      return wordAt(token.words, at, next, value) !== undefined;
  }
}

function endOf(token: Token, from: number, next: Uint8Array, value: readonly string[]): number {
  if (token.kind === 'words') return from + (wordAt(token.words, from, next, value)?.length ?? 0);
  return next.indexOf(1, token.kind === 'run' ? from : from + 1);
}

/** The first word at this position after which the remaining tokens match. */
function wordAt(
  words: readonly (readonly string[])[],
  at: number,
  next: Uint8Array,
  value: readonly string[],
): readonly string[] | undefined {
  return words.find(
    (word) => next[at + word.length] && word.every((character, index) => value[at + index] === character),
  );
}
