import { expect, test } from 'vitest';
import { heatMax, heatSteps, heatTable, stepLabels, stepOf } from '../src/analytics/heatmap-chart.tsx';

test.each([
  [0, []],
  [1, ['1']],
  [3, ['1', '2', '3']],
  [4, ['1', '2', '3', '4']],
  [11, ['1–3', '4–6', '7–9', '10–11']],
  [100, ['1–25', '26–50', '51–75', '76–100']],
])('divides counts up to %d into the steps %j', (max, labels) => {
  expect(stepLabels(heatSteps(max))).toEqual(labels);
});

test.each([
  [0, 0],
  [1, 1],
  [3, 1],
  [4, 2],
  [11, 4],
])('on a scale up to 11, the count %d is in step %d', (count, step) => {
  expect(stepOf(count, heatSteps(11))).toBe(step);
});

test('a cell without data counts as zero', () => {
  const table = heatTable([{ day_of_week: 6, hour: 23, count: 5 }]);
  expect(table.map((day) => day.length)).toEqual([24, 24, 24, 24, 24, 24, 24]);
  expect(table[6]?.[23]).toBe(5);
  expect(heatMax(table)).toBe(5);
  expect(heatMax(heatTable([]))).toBe(0);
});
