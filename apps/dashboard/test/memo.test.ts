import { expect, test } from 'vitest';
import { differ } from '../src/ui/memo.ts';

const same = { name: 'a' };
test.each<[string, object, object, boolean]>([
  ['the same values', { at: same, width: Number.NaN }, { at: same, width: Number.NaN }, false],
  ['equal objects', { at: { name: 'a' } }, { at: { name: 'a' } }, true],
  ['another value', { width: 1, left: 2 }, { width: 1, left: 3 }, true],
  ['a property that is gone', { width: 1, left: 2 }, { width: 1 }, true],
  ['a property that is new', { width: 1 }, { width: 1, left: 2 }, true],
  ['no property and one without a value', { width: 1 }, { width: 1, left: undefined }, false],
])('a component with %s renders again only if a value differs', (_, one, other, due) => {
  expect([differ(one, other), differ(other, one)]).toEqual([due, due]);
});
