import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compileGlob, globOf, nameOf } from '../src/domain/glob.ts';

/** A glob as questions.md 2.1 words it, character by character. */
function means([first, ...glob]: readonly string[], [character, ...name]: readonly string[]): boolean {
  if (first === undefined) return character === undefined;
  const rest = character === undefined ? [] : [character, ...name];
  if (first === '*') return means(glob, rest) || (character !== undefined && means(['*', ...glob], name));
  if (character === undefined) return false;
  if (first === '\\') return glob[0] === character && means(glob.slice(1), name);
  return (first === '?' || first === character) && means(glob, name);
}

const part = fc.constantFrom('a', 'b', '*', '?', '\\*', '\\\\', '\u{1f6a2}');
const name = fc.string({ unit: fc.constantFrom('a', 'b', '*', '\\', '\u{1f6a2}'), maxLength: 8 });

test('a glob means the names that its characters say', () => {
  fc.assert(
    fc.property(fc.array(part, { maxLength: 8 }), name, (parts, text) => {
      const glob = parts.join('');
      expect(compileGlob(glob)(text)).toBe(means([...glob], [...text]));
      const only = nameOf(glob);
      if (only !== undefined) expect(compileGlob(glob)(text)).toBe(text === only);
      expect(compileGlob(globOf(text))(text)).toBe(true);
      expect(nameOf(globOf(text))).toBe(text);
    }),
  );
});

test('many runs take no longer than both lengths', () => {
  expect(compileGlob('*a'.repeat(60))(`${'a'.repeat(127)}b`)).toBe(false);
});
