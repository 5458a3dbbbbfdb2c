import { compileGlob, globCovers, globsMeet } from '@shiplog/text';
import fc from 'fast-check';
import { expect, test } from 'vitest';

test.each([
  ['pay-*', '*-core', true],
  ['pay-*', 'web-*', false],
  ['a?c', 'ab*', true],
  ['a?c', 'ab', false],
  ['a\\*', 'a*', true],
  ['a\\*', 'ab', false],
  ['*', '?', true],
  ['a*b*c', '*x*', true],
])('%s and %s can match the same name: %s', (one, other, expected) => {
  expect([globsMeet(one, other), globsMeet(other, one)]).toEqual([expected, expected]);
});

test.each([
  ['*', 'pay-*', true],
  ['pay-*', '*', false],
  ['pay-*', 'pay-a?', true],
  ['pay-?', 'pay-*', false],
  ['?*', '*', false],
  ['a*', 'a', true],
  ['a\\?', 'a?', false],
  ['a?', 'a\\*', true],
  ['*b', 'ab', true],
])('%s covers %s: %s', (wide, narrow, expected) => {
  expect(globCovers(wide, narrow)).toBe(expected);
});

const glob = fc.string({ unit: fc.constantFrom('a', 'b', '*', '?', '\\*'), minLength: 1, maxLength: 5 });
const name = fc.string({ unit: fc.constantFrom('a', 'b', '*'), minLength: 0, maxLength: 6 });

test('globs meet if a name matches both, and a covered glob matches no additional names', () => {
  fc.assert(
    fc.property(glob, glob, name, (one, other, text) => {
      const [first, second] = [compileGlob(one)(text), compileGlob(other)(text)];
      if (first && second) expect(globsMeet(one, other)).toBe(true);
      if (second && globCovers(one, other)) expect(first).toBe(true);
    }),
    { numRuns: 3000 },
  );
});
