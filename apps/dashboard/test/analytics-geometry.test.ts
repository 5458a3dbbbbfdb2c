import { expect, test } from 'vitest';
import {
  bandsOf,
  durationX,
  frameOf,
  frequencyBars,
  labelEvery,
  linePath,
  riseOf,
  stepPath,
  wholeTicks,
} from '../src/analytics/geometry.ts';

const frame = { left: 0, right: 100, top: 0, bottom: 100 };

test('failures are stacked on the axis and successes on top of them, in proportion to their counts', () => {
  const buckets = [
    { date: '2026-05-03', success: 6, failure: 2 },
    { date: '2026-05-04', success: 0, failure: 0 },
  ];
  const [first, second] = frequencyBars(buckets, frame, riseOf(10, frame));
  expect(first?.failure).toEqual({ y: 80, height: 20 });
  expect(first?.success).toEqual({ y: 20, height: 60 });
  expect(second?.failure.height).toBe(0);
  expect(second?.success.height).toBe(0);
});

test('one failure among thousands is still visible', () => {
  const [bar] = frequencyBars([{ date: '2026-05-03', success: 4999, failure: 1 }], frame, riseOf(5000, frame));
  expect(bar?.failure.height).toBe(2);
});

test('chart bands are adjacent and inside the frame', () => {
  const bands = bandsOf(['a', 'b', 'c'], frame);
  const ends = bands.flatMap(({ x, width }) => [x, x + width]);
  expect(ends).toEqual([...ends].sort((one, other) => one - other));
  expect(ends[0]).toBeGreaterThanOrEqual(frame.left);
  expect(ends.at(-1)).toBeLessThanOrEqual(frame.right);
});

test('an empty axis has a height, and count labels are whole numbers', () => {
  expect(riseOf(0, frame).yOf(0)).toBe(100);
  expect(wholeTicks(riseOf(1, frame))).toEqual([0, 1]);
  expect(wholeTicks(riseOf(24, frame))).toEqual([0, 5, 10, 15, 20, 25]);
});

test.each([
  [7, 340, 1],
  [14, 340, 2],
  [30, 340, 5],
  [30, 1000, 2],
])('with %d days on %d pixels, one day in %d has a label', (count, width, every) => {
  expect(labelEvery(count, frameOf(width))).toBe(every);
});

const bins = [
  { label: '0-10', lower_minutes: 0, upper_minutes: 10, count: 1 },
  { label: '10-20', lower_minutes: 10, upper_minutes: 20, count: 1 },
  { label: '20+', lower_minutes: 20, upper_minutes: null, count: 1 },
];

test.each([
  ['the start of a bin', 10, 1, 0],
  ['the middle of a bin', 15, 1, 0.5],
  ['the open bin', 4000, 2, 0.5],
])('a percentile marker is drawn at %s', (_, minutes, index, share) => {
  const bands = bandsOf(['0-10', '10-20', '20+'], frame);
  const { x = Number.NaN, width = 0 } = bands[index] ?? {};
  expect(durationX(minutes, bins, bands)).toBeCloseTo(x + width * share);
});

test('a chart line connects the centres of its bands', () => {
  const bands = bandsOf(['a', 'b'], frame);
  expect(linePath([0, 1], bands, riseOf(1, frame))).toBe(`M${bands[0]?.middle},100L${bands[1]?.middle},0`);
});

test('a stepped line has one level per band and ends at its last value', () => {
  const bands = bandsOf(['a', 'b', 'c', 'd'], frame);
  expect(stepPath([0, 2], bands, frame, riseOf(2, frame))).toBe('M0 100.5H25V0.5H50');
  expect(stepPath([], bands, frame, riseOf(2, frame))).toBe('');
});
