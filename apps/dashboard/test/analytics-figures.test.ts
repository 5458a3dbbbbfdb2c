import { expect, test } from 'vitest';
import { figureOf, figureText, numberText, percentText, spanText, trendOf } from '../src/analytics/figures.ts';

test.each([
  [0, '0'],
  [0.142857, '0.14'],
  [6.5, '6.5'],
  [13.714, '13.7'],
  [142.4, '142'],
  [1204, '1,204'],
])('the number %d reads %s', (value, text) => {
  expect(numberText(value)).toBe(text);
});

test.each([
  [6.5, 'per_day', '6.5 a day'],
  [0, 'per_day', '0 a day'],
  [3.2, 'hours', '3.2 h'],
  [0.5, 'hours', '30 min'],
  [50.4, 'hours', '2.1 days'],
  [0.125, 'ratio', '12.5 %'],
  [38, 'minutes', '38 min'],
  [90, 'minutes', '1.5 h'],
] as const)('a KPI of %d %s reads %s', (value, unit, text) => {
  expect(figureText(figureOf(value, unit))).toBe(text);
});

test.each([
  [0, '0 min'],
  [0.5, '0.5 min'],
  [59, '59 min'],
  [60, '1 h'],
  [2879, '48 h'],
  [2880, '2 days'],
])('a span of %d minutes reads %s', (minutes, text) => {
  expect(spanText(minutes)).toBe(text);
});

test('a ratio above one stays a percentage', () => {
  expect(percentText(1.09)).toBe('109 %');
});

test.each([
  ['deployment_frequency', 0.12, '▲ 12 % more than in the half before: better', 'better'],
  ['deployment_frequency', -0.5, '▼ 50 % fewer than in the half before: worse', 'worse'],
  ['lead_time', 0.12, '▲ 12 % longer than in the half before: worse', 'worse'],
  ['lead_time', -0.12, '▼ 12 % shorter than in the half before: better', 'better'],
  ['change_failure_rate', 0.3, '▲ 30 % higher than in the half before: worse', 'worse'],
  ['change_failure_rate', -1, '▼ 100 % lower than in the half before: better', 'better'],
  ['time_to_restore', 4.74, '▲ 474 % longer than in the half before: worse', 'worse'],
  ['time_to_restore', -0.004, '■ as in the half before', undefined],
  ['lead_time', null, 'no trend', undefined],
] as const)('a trend of %s by %s says what it means', (name, delta, text, verdict) => {
  expect(trendOf(name, delta)).toEqual({ text, verdict });
});
