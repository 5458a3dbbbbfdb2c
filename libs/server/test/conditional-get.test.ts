import { expect, test } from 'vitest';
import { etagMatches, weakEtag } from '../src/conditional-get.ts';

test('the validator depends on every part of the content and on the boundaries between parts', () => {
  const tags = [weakEtag('ab', 'c'), weakEtag('a', 'bc'), weakEtag('ab', 'd'), weakEtag('abc')];
  expect(new Set(tags).size).toBe(tags.length);
  expect(weakEtag('ab', 'c')).toBe(tags[0]);
  expect(tags[0]).toMatch(/^W\/"[A-Za-z0-9_-]{27}"$/);
});

test.each([
  [undefined, false],
  ['', false],
  ['*', true],
  [' * ', true],
  ['W/"a"', true],
  ['"a"', true],
  ['"b", W/"a"', true],
  ['"b","a"', true],
  ['"b"', false],
  ['a', false],
  ['"a', false],
  ['"with, comma", "a"', true],
  ['W/"A"', false],
])('If-None-Match %j matches W/"a": %s', (header, matches) => {
  expect(etagMatches(header, 'W/"a"')).toBe(matches);
});
