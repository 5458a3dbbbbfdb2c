import { describe, expect, test } from 'vitest';
import { cutMiddle, sharedPrefix } from '../src/board/names.ts';

const within = (characters: number) => (text: string) => text.length <= characters;

describe('a long name', () => {
  test.each([
    [40, 'payments-ledger-snapshot-worker'],
    [26, 'payments-…snapshot-worker'],
    [25, 'payments-…snapshot-worker'],
    [24, 'payments-ledger-…worker'],
    [17, 'payments-…worker'],
    [9, '…worker'],
    [6, 'p…rker'],
    [1, '…'],
  ])('is cut in its middle by whole words: in %i characters it is %s', (characters, due) => {
    const shown = cutMiddle('payments-ledger-snapshot-worker', within(characters));
    expect(shown).toBe(due);
    expect(shown.length).toBeLessThanOrEqual(characters);
  });

  test('keeps the end that its group does not share, and as much of the shared beginning as fits', () => {
    const name = 'acme-eu-west-1-payments-api';
    expect(cutMiddle(name, within(21), 'acme-eu-west-1-')).toBe('acme-eu-…payments-api');
    expect(cutMiddle(name, within(18), 'acme-eu-west-1-')).toBe('acme-…payments-api');
  });

  test('without separators it is cut by characters', () => {
    expect(cutMiddle('abcdefghijklmnop', within(10))).toBe('abc…klmnop');
  });
});

test.each([
  [['acme-web-cart', 'acme-web-checkout'], 'acme-web-'],
  [['acme-web', 'acme-web-cart'], 'acme-'],
  [['cart', 'checkout'], ''],
  [['acme-web-cart'], ''],
  [['a.b/c', 'a.b/d', 'a.x/c'], 'a.'],
])('the names %j begin with %j', (names, due) => {
  expect(sharedPrefix(names)).toBe(due);
});
