import { expect, test } from 'vitest';
import { flatnessCurve, flatnessOf } from './flatness.ts';
import type { Vitals } from './vitals.ts';

const still: Vitals = {
  at: 0,
  calm: true,
  residentBytes: 200e6,
  heapBytes: 100e6,
  handles: 60,
  listeners: 500,
  backlogBytes: 0,
  connections: 12,
  statements: 40,
};

/** Thirty minutes of samples. One measure has these values in the three thirds of the time. */
function samples(measure: keyof Vitals, thirds: readonly number[]): Vitals[] {
  return Array.from({ length: 90 }, (_, n) => ({ ...still, [measure]: thirds[Math.floor(n / 30)], at: n * 20_000 }));
}

test.each([
  ['stays', [60, 60, 60], []],
  ['grows at first', [10, 60, 60], []],
  ['grows by a tenth', [60, 60, 66], []],
  ['shrinks', [60, 60, 20], []],
  ['returns to its first value', [60, 40, 60], []],
  ['grows in each third', [60, 66, 73], ['Handles besides connections']],
  ['grows by more than a tenth', [60, 60, 67], ['Handles besides connections']],
])('a series that %s is correctly classified as flat or growing', (_, thirds, due) => {
  const growing = flatnessOf(samples('handles', thirds)).filter(({ flat }) => !flat);
  expect(growing.map(({ name }) => name)).toEqual(due);
});

test('the classification ignores samples taken during a fault', () => {
  const vitals = samples('handles', [60, 60, 60]).map((sample, n) =>
    n < 45 ? sample : { ...sample, handles: 500, calm: false },
  );
  const calm = samples('handles', [60, 60, 60]);
  expect(flatnessOf([...vitals, ...calm]).every(({ flat }) => flat)).toBe(true);
});

test('a small count that grows by one is flat, but one that grows by two is not', () => {
  const flat = (last: number) => flatnessOf(samples('connections', [7, 7, last])).every((measure) => measure.flat);
  expect([flat(8), flat(9)]).toEqual([true, false]);
});

test('a single outlier does not make a series grow', () => {
  const vitals = samples('residentBytes', [200e6, 200e6, 200e6]);
  vitals[80] = { ...still, residentBytes: 900e6, at: 80 * 20_000 };
  expect(flatnessOf(vitals).every(({ flat }) => flat)).toBe(true);
});

test('the plot has one point per minute, as a percentage of the median of the second third', () => {
  const [memory] = flatnessCurve(samples('residentBytes', [100e6, 200e6, 300e6])).series;
  expect(memory?.points).toHaveLength(30);
  expect(memory?.points[0]).toEqual([0.5, 50]);
  expect(memory?.points.at(-1)).toEqual([29.5, 150]);
});
