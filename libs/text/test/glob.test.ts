import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compileGlob, globText, likePattern, literalGlob, literalName } from '../src/glob.ts';

/** Matches a text with a LIKE pattern, converted to a regular expression. */
function likes(pattern: string, text: string): boolean {
  const source = pattern.replace(/\\([\s\S])|([\s\S])/gu, (_, literal: string | undefined, character: string) => {
    if (literal === undefined && character === '%') return '[^]*';
    if (literal === undefined && character === '_') return '[^]';
    return `\\u{${(literal ?? character).codePointAt(0)?.toString(16)}}`;
  });
  return new RegExp(`^${source}$`, 'u').test(text);
}

/** Matches a glob character by character, following the wording of questions.md 2.1. */
function means([first, ...glob]: readonly string[], [character, ...name]: readonly string[]): boolean {
  if (first === undefined) return character === undefined;
  const rest = character === undefined ? [] : [character, ...name];
  if (first === '*') return means(glob, rest) || (character !== undefined && means(['*', ...glob], name));
  if (character === undefined) return false;
  if (first === '\\') return glob[0] === character && means(glob.slice(1), name);
  return (first === '?' || first === character) && means(glob, name);
}

const part = fc.constantFrom('a', 'b', '%', '_', '*', '?', '\\*', '\\\\', '\\_', '\u{1f6a2}');
const name = fc.string({ unit: fc.constantFrom('a', 'b', '%', '_', '*', '\\', '\u{1f6a2}'), maxLength: 8 });

test('a glob and its LIKE pattern match the names that questions.md 2.1 describes', () => {
  fc.assert(
    fc.property(fc.array(part, { maxLength: 8 }), name, (parts, text) => {
      const glob = parts.join('');
      expect(compileGlob(glob)(text)).toBe(means([...glob], [...text]));
      expect(likes(likePattern(glob), text)).toBe(means([...glob], [...text]));
      const only = literalName(glob);
      if (only !== undefined) expect(compileGlob(glob)(text)).toBe(text === only);
      expect(compileGlob(literalGlob(text))(text)).toBe(true);
      expect(literalName(literalGlob(text))).toBe(text);
    }),
  );
});

test('matching a glob with many wildcards takes no more steps than the product of both lengths', () => {
  expect(compileGlob('*a'.repeat(60))(`${'a'.repeat(127)}b`)).toBe(false);
});

test('people read a glob of one name without its escapes', () => {
  expect(['qa\\*', 'a\\\\b', 'prod', 'qa-*', 'qa\\?-*'].map(globText)).toEqual([
    ...['qa*', 'a\\b', 'prod', 'qa-*', 'qa\\?-*'],
  ]);
});
