import { Mistake } from './mistake.ts';
import { type Captures, foldedCharacters, spansOf, type Token } from './pattern-match.ts';

/** A value matches if any pattern does and none of those with `!`. */
export interface Patterns {
  /** The names that the patterns capture. */
  readonly names: ReadonlySet<string>;
  /** The captures of the first pattern that matches; `undefined` where the value does not match. */
  match(value: string): Captures | undefined;
}

const patternCharactersMax = 256;
/** Longer than any name in a tool. Longer values match nothing, which bounds the time per value. */
const valueCharactersMax = 10_000;

/**
 * Patterns for whole values, ASCII case ignored (fetcher §3.2): `*` is any run without `/`, `**` any run, `?` one
 * character, `{x}` captures like `*` but at least one character and as few as possible, `{x:a|b}` captures one of the words.
 * Captures can't have a name that `isTaken`, such as a variable's.
 * @throws Mistake
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

/** A capture up to its brace, a run, or one character; an unclosed brace is its own token. */
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
