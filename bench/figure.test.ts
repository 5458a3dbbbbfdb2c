import { describe, expect, test } from 'vitest';
import { type Figure, isMet, judged, number, percentile, quantity, summary } from './harness/figure.ts';

const figure: Figure = { goal: 'P1', title: 'posts', measured: [], unit: '/s', reach: { atLeast: 1 } };

describe('rounds', () => {
  test.each([
    [[3, 1, 2], { min: 1, median: 2, max: 3 }],
    [[4, 1, 2, 10], { min: 1, median: 3, max: 10 }],
    [[7], { min: 7, median: 7, max: 7 }],
  ])('the values %j have the expected lowest value, median and highest value', (values, expected) => {
    expect(summary(values)).toEqual(expected);
  });

  test.each([
    [0, 1],
    [0.5, 50],
    [0.99, 99],
    [0.991, 100],
    [1, 100],
  ])('the percentile at %d of 1 to 100 in any order is %d, by nearest rank', (share, expected) => {
    const values = Array.from({ length: 100 }, (_, index) => 100 - index);
    expect(percentile(values, share)).toBe(expected);
  });
});

describe('goals', () => {
  test('a ratio is computed per round, so that a slow phase of the machine affects both sides', () => {
    const measured = [10, 200, 30];
    const yardstick = { title: 'pgbench', measured: [10, 100, 10] };
    expect(judged({ ...figure, measured, yardstick })).toEqual({ min: 1, median: 2, max: 3 });
  });

  test.each([
    [{ atLeast: 2 }, true],
    [{ atLeast: 2.1 }, false],
    [{ atMost: 2 }, true],
    [{ atMost: 1.9 }, false],
  ])('the median 2 reaches %j: %s', (reach, expected) => {
    expect(isMet({ ...figure, measured: [1, 2, 9], reach })).toBe(expected);
  });

  test('a figure without its yardstick does not reach its goal', () => {
    expect(isMet({ ...figure, measured: [1], yardstick: { title: 'none', measured: [] } })).toBe(false);
  });
});

describe('units', () => {
  test.each([
    [15_812.4, '/s', '15,812/s'],
    [14.26, 'KB', '14.3 KB'],
    [1.649, 'ms', '1.6 ms'],
    [0.00591, 'ms', '0.0059 ms'],
    [2.04, '', '2.0'],
    [Number.NaN, 'MB', '— MB'],
  ])('%d in the unit %j is written as %s', (value, unit, expected) => {
    expect(quantity(number(value), unit)).toBe(expected);
  });
});
