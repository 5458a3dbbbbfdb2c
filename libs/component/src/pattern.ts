import { Mistake } from './mistake.ts';

/** A value matches if it matches any pattern and no pattern that starts with `!`. */
export interface Patterns {
  readonly names: ReadonlySet<string>;
  /** The captures of the first matching pattern; `undefined` if the value does not match. */
  match(value: string): Captures | undefined;
}

const patternCharactersMax = 256;
/** Longer than any name in a tool. Longer values match nothing, which limits the matching time. */
const valueCharactersMax = 10_000;

/**
 * Patterns that match whole values and ignore ASCII case (fetcher §3.2): `*` matches any characters except `/`, `**`
 * any characters, `?` one character. `{x}` captures like `*`, but at least one character and as few as possible;
 * `{x:a|b}` captures one of the words. `isTaken` excludes names for captures, such as those of variables. @throws
 * Mistake
 */
export function compilePatterns(texts: readonly string[], isTaken: (name: string) => boolean = () => false): Patterns {
  const [wanted, unwanted] = [texts.filter((text) => !isNegated(text)), texts.filter(isNegated)];
  if (wanted.length === 0) throw new Mistake('has only patterns with "!", so nothing matches; start with "**"');
  const takers = wanted.map((text) => compile(text, isTaken));
  const refusers = unwanted.map((text) => compile(text.slice(1), isTaken));
  const idle = refusers.find(({ names }) => names.length > 0);
  if (idle) throw new Mistake(`captures "${idle.names[0]}" in a pattern with "!", which captures nothing; use *`);
  return {
    names: new Set(takers.flatMap(({ names }) => names)),
    match: (value) => {
      if (value.length > valueCharactersMax) return undefined;
      const [characters, folded] = [[...value], foldedCharacters(value)];
      if (refusers.some(({ tokens }) => spansOf(tokens, folded))) return undefined;
      for (const { tokens } of takers) {
        const spans = spansOf(tokens, folded);
        if (spans) return new Map([...spans].map(([name, span]) => [name, characters.slice(...span).join('')]));
      }
      return undefined;
    },
  };
}

function isNegated(text: string): boolean {
  return text.startsWith('!');
}

interface Pattern {
  readonly tokens: readonly Token[];
  readonly names: readonly string[];
}

/** A capture up to its closing brace, a wildcard, or one character. An unclosed brace is a separate token. */
const part = /\{([^{}]*)\}|\*\*?|[\s\S]/gu;

function compile(text: string, isTaken: (name: string) => boolean): Pattern {
  if (text === '') throw new Mistake('has an empty pattern, which matches nothing');
  if ([...text].length > patternCharactersMax) {
    throw new Mistake(`has a pattern of more than ${patternCharactersMax} characters`);
  }
  const tokens = [...text.matchAll(part)].map(([written, inBraces]): Token => {
    if (inBraces !== undefined) return captureOf(inBraces, text, isTaken);
    if (written === '{') throw new Mistake(`has an unclosed "{" in ${JSON.stringify(text)}`);
    if (written === '?') return { kind: 'any' };
    if (written.startsWith('*')) return { kind: 'run', slashes: written === '**' };
    return { kind: 'character', character: foldedCharacters(written).join('') };
  });
  const names = tokens.flatMap((token) => ('name' in token ? [token.name] : []));
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Mistake(`captures "${twice}" twice in ${JSON.stringify(text)}`);
  return { tokens, names };
}

const captureName = /^[A-Za-z][A-Za-z0-9_]{0,63}$/;

function captureOf(inBraces: string, pattern: string, isTaken: (name: string) => boolean): Token {
  const colon = inBraces.indexOf(':');
  const name = colon < 0 ? inBraces : inBraces.slice(0, colon);
  if (!captureName.test(name)) {
    throw new Mistake(
      `has the capture "{${inBraces}}" in ${JSON.stringify(pattern)}; its name must be letters, digits and _, starting with a letter`,
    );
  }
  if (isTaken(name)) {
    throw new Mistake(
      `captures "${name}" in ${JSON.stringify(pattern)}, which is the name of a variable; use another name`,
    );
  }
  if (colon < 0) return { kind: 'capture', name };
  const words = inBraces.slice(colon + 1).split('|');
  const bad = words.find((word) => word === '' || /[*?]/.test(word));
  if (bad !== undefined) {
    throw new Mistake(
      `has the word ${JSON.stringify(bad)} in "{${inBraces}}"; words must be non-empty text without * and ?`,
    );
  }
  return { kind: 'words', name, words: words.map(foldedCharacters) };
}

/** The captured text by name, in its original case. */
export type Captures = ReadonlyMap<string, string>;

/** A part of a pattern. Characters are code points; ASCII letters are in lower case. */
export type Token =
  | { readonly kind: 'character'; readonly character: string }
  | { readonly kind: 'any' }
  | { readonly kind: 'run'; readonly slashes: boolean }
  | { readonly kind: 'capture'; readonly name: string }
  | { readonly kind: 'words'; readonly name: string; readonly words: readonly (readonly string[])[] };

/** Changes only ASCII letters to lower case. */
export function foldedText(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

function foldedCharacters(text: string): string[] {
  return [...foldedText(text)];
}

/** The start and end positions of a capture in a value. */
type Span = readonly [from: number, to: number];

/**
 * The captures of a pattern that matches a whole value; `undefined` if it does not match. It checks each pair of a
 * token and a position once, so its time is at most their product (fetcher §3.2).
 */
export function spansOf(tokens: readonly Token[], value: readonly string[]): ReadonlyMap<string, Span> | undefined {
  const size = value.length;
  // rows[t][p]: whether the tokens from t on match the value from p on.
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

/** The positions where a token may begin, given those where the remaining tokens may begin. */
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

/** The first word that occurs at this position and is followed by a match of the remaining tokens. */
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
