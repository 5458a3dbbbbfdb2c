import type { DoraReport } from '@shiplog/contract';
import { expect, test } from 'vitest';
import { ticksTo } from '../src/analytics/axis.ts';
import { heatTable } from '../src/analytics/charts/heatmap-chart.tsx';
import {
  absenceOf,
  classText,
  endedIn,
  figureOf,
  figureText,
  numberText,
  percentText,
  shownKey,
  spanText,
  tooFewText,
} from '../src/analytics/figures.ts';
import { changeOf } from '../src/analytics/key-card.tsx';

test.each([
  [0, '0'],
  [0.142857, '0.14'],
  [6.5, '6.5'],
  [13.714, '13.7'],
  [142.4, '142'],
  [1204, '1,204'],
])('formats the number %d as %s', (value, text) => {
  expect(numberText(value)).toBe(text);
});

test.each([
  [6.5, 'per_day', '6.5 a day'],
  [0, 'per_day', '0 a day'],
  [3.2, 'hours', '3.2 h'],
  [0.5, 'hours', '30 min'],
  [50.4, 'hours', '2.1 d'],
  [0.125, 'ratio', '12.5 %'],
  [38, 'minutes', '38 min'],
  [90, 'minutes', '1.5 h'],
] as const)('formats a KPI of %d %s as %s', (value, unit, text) => {
  expect(figureText(figureOf(value, unit))).toBe(text);
});

test.each([
  [0, '0 min'],
  [0.5, '0.5 min'],
  [59, '59 min'],
  [60, '1 h'],
  [2879, '48 h'],
  [2880, '2 d'],
])('formats a span of %d minutes as %s', (minutes, text) => {
  expect(spanText(minutes)).toBe(text);
});

test('formats a ratio above 1 as a percentage', () => {
  expect(percentText(1.09)).toBe('109 %');
});

const kpi = { classification: 'elite' as const, trend_delta: null, sparkline: [], approximated: false };

test.each([
  ['deployment_frequency', 4.4, 3.8, 'per_day', '▲ more than 3.8 a day before, better', 'better'],
  ['deployment_frequency', 1, 3.8, 'per_day', '▼ fewer than 3.8 a day before, worse', 'worse'],
  ['lead_time', 26.4, 31, 'hours', '▼ shorter than 31 h before, better', 'better'],
  ['change_failure_rate', 0.09, 0.081, 'ratio', '▲ more than 8.1 % before, worse', 'worse'],
  ['time_to_restore', 114, 84, 'minutes', '▲ longer than 1.4 h before, worse', 'worse'],
  ['time_to_restore', 84.01, 84, 'minutes', '■ unchanged from 1.4 h before', undefined],
  ['lead_time', 26.4, null, 'hours', ' no previous period: log begins 26 Oct', undefined],
  ['lead_time', null, 31, 'hours', '31 h before', undefined],
] as const)('describes the change of %s to %d from %d %s', (_, value, previous, unit, text, verdict) => {
  const change = changeOf({ ...kpi, value, previous, unit }, 'no previous period: log begins 26 Oct');
  expect([`${change?.word} ${change?.than}`, change?.verdict]).toEqual([text, verdict]);
});

test.each([
  ['time_to_restore', null, 'minutes', 'elite', undefined, 'nothing failed'],
  ['time_to_restore', null, 'minutes', 'low', undefined, 'not restored yet'],
  ['change_failure_rate', null, 'ratio', 'elite', undefined, 'nothing ended'],
  ['lead_time', null, 'hours', 'low', undefined, 'no lead time known'],
  ['deployment_frequency', 0, 'per_day', 'low', undefined, undefined],
  ['deployment_frequency', 0.01, 'per_day', 'low', 'Low', undefined],
  ['change_failure_rate', 0, 'ratio', 'elite', 'Elite', undefined],
] as const)(
  'shows a performance class for %s of %s only if something was counted',
  (name, value, unit, classification, level, why) => {
    const given = { ...kpi, value, unit, classification };
    expect(classText(given)).toBe(level);
    if (why) expect(absenceOf(name, given)).toBe(why);
  },
);

test('a key metric without a comparison shows no change', () => {
  expect(changeOf({ ...kpi, value: 1, unit: 'hours' }, '')).toBeUndefined();
});

test.each([
  [3, 'elite'],
  [1, 'elite'],
  [0.5, 'high'],
  [0.1, 'medium'],
  [0.01, 'low'],
] as const)(
  '%d deployments per covered day replace the frequency of the whole period, with the class %s',
  (perDay, classification) => {
    const given = { ...kpi, value: 0.001, unit: 'per_day' as const, per_covered_day: perDay };
    expect(shownKey(given)).toMatchObject({ value: perDay, classification });
  },
);

test('a frequency of which every day is covered, or none, keeps its value', () => {
  for (const per_covered_day of [2, null, undefined]) {
    const given = {
      ...kpi,
      value: 2,
      unit: 'per_day' as const,
      ...(per_covered_day !== undefined && { per_covered_day }),
    };
    expect(shownKey(given)).toBe(given);
  }
});

test('fewer than 10 deployments are too few for a class', () => {
  const report = { deployment_frequency: { ...kpi, sparkline: [2, null, 3] } } as unknown as DoraReport;
  expect(endedIn(report)).toBe(5);
  expect([5, 9, 10].map(tooFewText)).toEqual(['too few to classify (5)', 'too few to classify (9)', undefined]);
});

test.each([
  [0, [0, 1]],
  [1, [0, 1]],
  [4, [0, 1, 2, 3, 4]],
  [24, [0, 10, 20, 30]],
  [66, [0, 20, 40, 60, 80]],
  [500, [0, 200, 400, 600]],
])('an axis to %d has the ticks %j', (max, ticks) => {
  expect(ticksTo(max)).toEqual(ticks);
});

test('an hour of the week without data counts as zero', () => {
  const table = heatTable([{ day_of_week: 6, hour: 23, count: 5 }]);
  expect(table.map((day) => day.length)).toEqual([24, 24, 24, 24, 24, 24, 24]);
  expect([table[6]?.[23], table[0]?.[0]]).toEqual([5, 0]);
});
