import { expect, test } from 'vitest';
import {
  clampedSentence,
  datesFrom,
  dayInterval,
  dayLabel,
  hourLabel,
  minuteLabel,
  timeRangeIn,
  weekdayLabel,
  weekOrder,
  windowInterval,
} from '../src/analytics/span.ts';

const byDay = {
  days: 7,
  from: '2026-05-03T00:00:00Z',
  to: '2026-05-10T00:00:00Z',
  retention_days: 90,
  clamped: false,
};
const byHour = { ...byDay, from: '2026-05-03T14:00:00Z', to: '2026-05-10T14:00:00Z' };

test('states the reason for a shortened window, and nothing for a complete one', () => {
  const clamped = { ...byDay, days: 1, retention_days: 1, clamped: true };
  expect(clampedSentence(clamped)).toBe('Shortened to 1 day: the service keeps its log for 1 day.');
  expect(clampedSentence(byDay)).toBeUndefined();
});

test('time labels are short and in UTC', () => {
  expect(dayLabel('2026-05-03')).toBe('3 May');
  expect(minuteLabel('2026-05-03T23:59:59.5Z')).toBe('3 May 23:59');
  expect(hourLabel(7)).toBe('07:00');
  expect(weekOrder.map(weekdayLabel)).toEqual(['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']);
});

test.each([
  ['a whole day', byDay, '2026-05-04', '2026-05-04T00:00:00.000Z', '2026-05-05T00:00:00.000Z'],
  [
    'the first day of a window by the hour',
    byHour,
    '2026-05-03',
    '2026-05-03T14:00:00.000Z',
    '2026-05-04T00:00:00.000Z',
  ],
  ['the last day of the window', byHour, '2026-05-10', '2026-05-10T00:00:00.000Z', '2026-05-10T14:00:00.000Z'],
] as const)('the address of the rows for %s covers only times in the window', (_, window, date, since, until) => {
  expect(dayInterval(date, window)).toEqual({ since, until });
});

test('converts the interval of a window to a period', () => {
  expect(windowInterval(byHour)).toEqual({ since: byHour.from, until: byHour.to });
});

test('a list by day starts with the first day of the window', () => {
  expect(datesFrom(byHour, 3)).toEqual(['2026-05-03', '2026-05-04', '2026-05-05']);
});

test.each([
  ['inside', '2026-05-03T00:00:00Z', '2026-05-06T12:00:00Z', { left: 0, width: 0.5 }],
  ['open', '2026-05-06T12:00:00Z', null, { left: 0.5, width: 0.5 }],
  [
    'ended by a restoration after the window',
    '2026-05-06T12:00:00Z',
    '2026-06-01T00:00:00Z',
    { left: 0.5, width: 0.5 },
  ],
] as const)('positions a time range on the axis: %s', (_, start, end, stretch) => {
  expect(timeRangeIn(byDay, start, end)).toEqual(stretch);
});
