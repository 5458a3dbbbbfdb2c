import { expect, test } from 'vitest';
import { daysBefore, partialDay, periodBefore, periodName, periodQuery, periodWords } from '../src/analytics/period.ts';
import { daysIn, type FiguresState } from '../src/state/address/figures.ts';
import { addressOf, home, searchOf } from '../src/state/address.ts';

const nowMs = Date.parse('2026-05-10T14:20:30Z');
const plain = { window: '7d', soFar: false, days: undefined } as const;
const window = (from: string, to: string, more = {}) => ({
  days: 7,
  from,
  to,
  retention_days: 90,
  clamped: false,
  ...more,
});

test.each([
  ['complete days', plain, { window: '7d' }],
  [
    'the same number of days including today',
    { ...plain, soFar: true },
    { from: '2026-05-04T00:00:00.000Z', to: '2026-05-10T14:21:00.000Z' },
  ],
  [
    'any days that end with a complete day',
    { ...plain, soFar: true, days: { from: '2026-04-30', to: '2026-05-02' } },
    { from: '2026-04-30T00:00:00.000Z', to: '2026-05-03T00:00:00.000Z' },
  ],
  [
    'any days up to today',
    { ...plain, days: { from: '2026-05-10', to: '2026-05-10' } },
    { from: '2026-05-10T00:00:00.000Z', to: '2026-05-10T14:21:00.000Z' },
  ],
] as const)('the request for figures covers %s', (_, figures, query) => {
  expect(periodQuery(figures, nowMs)).toEqual(query);
});

test('events of the current minute are counted', () => {
  const lateMs = Date.parse('2026-05-10T14:20:55Z');
  expect(periodQuery({ ...plain, soFar: true }, lateMs)).toMatchObject({ to: '2026-05-10T14:22:00.000Z' });
});

test('in the last minute of a day, the requested period ends with the day, because the service accepts no later end', () => {
  const lateMs = Date.parse('2026-05-10T23:59:59.9Z');
  expect(periodQuery({ ...plain, soFar: true }, lateMs)).toMatchObject({ to: '2026-05-11T00:00:00.000Z' });
});

test.each([
  ['whole days', window('2026-05-03T00:00:00Z', '2026-05-10T00:00:00Z'), '3 May to 9 May'],
  ['one day', window('2026-05-03T00:00:00Z', '2026-05-04T00:00:00Z'), '3 May'],
  ['today so far', window('2026-05-04T00:00:00Z', '2026-05-10T14:21:00Z'), '4 May to 14:21 UTC today'],
  ['hours', window('2026-05-03T14:00:00Z', '2026-05-09T14:00:00Z'), '3 May 14:00 UTC to 9 May 14:00 UTC'],
])('describes a period in words: %s', (_, period, words) => {
  expect(periodWords(period, nowMs)).toBe(words);
});

test('each period has a name', () => {
  expect(periodName(plain)).toBe('7 days');
  expect(periodName({ ...plain, window: '30d', soFar: true })).toBe('30 days, today so far');
  expect(periodName({ ...plain, days: { from: '2026-04-30', to: '2026-05-02' } })).toBe('30 Apr to 2 May');
});

test('compares key metrics with the previous period of equal length, and days with as many complete days', () => {
  const soFar = window('2026-05-04T00:00:00Z', '2026-05-10T14:21:00Z');
  expect(periodBefore(soFar, nowMs)).toMatchObject({
    from: '2026-04-27T09:39:00.000Z',
    to: '2026-05-04T00:00:00.000Z',
  });
  expect(daysBefore(soFar, nowMs)).toEqual({ from: '2026-04-27T00:00:00.000Z', to: '2026-05-04T00:00:00.000Z' });
  const byHour = window('2026-05-03T14:00:00Z', '2026-05-10T14:00:00Z');
  expect(daysBefore(byHour, nowMs)).toEqual({ from: '2026-04-26T14:00:00.000Z', to: '2026-05-03T14:00:00.000Z' });
});

test('a period whose events may have been pruned is not used for comparison', () => {
  const period = window('2026-05-03T00:00:00Z', '2026-05-10T00:00:00Z');
  expect(daysBefore({ ...period, retention_days: 14 }, nowMs)).toBeDefined();
  expect(daysBefore({ ...period, retention_days: 13 }, nowMs)).toBeUndefined();
  expect(periodBefore({ ...period, retention_days: 13 }, nowMs)).toBeUndefined();
  expect(periodBefore({ ...period, clamped: true }, nowMs)).toBeUndefined();
});

test('marks an incomplete day, but not a complete one', () => {
  expect(partialDay(window('2026-05-04T00:00:00Z', '2026-05-10T14:21:00Z'), nowMs)).toEqual({
    date: '2026-05-10',
    name: 'today so far',
  });
  expect(partialDay(window('2026-05-02T14:00:00Z', '2026-05-09T14:00:00Z'), nowMs)?.name).toBe('until 14:00');
  expect(partialDay(window('2026-05-03T00:00:00Z', '2026-05-10T00:00:00Z'), nowMs)).toBeUndefined();
});

test.each(['2026-02-28..2026-02-28', '2025-12-31..2026-02-03'])(
  'the days %s are written to the address unchanged',
  (days) => {
    expect(searchOf({ ...home, figures: { ...home.figures, days: daysIn(days) } })).toBe(`?days=${days}`);
  },
);

test.each(['', '2026-02-30..2026-03-01', '2026-03-02..2026-03-01', '2025-01-01..2026-03-01', '2026-03-01', 'a..b'])(
  'an invalid period and a period with too many days are ignored: %s',
  (days) => {
    expect(addressOf(`?days=${days}`)).toEqual(home);
  },
);

test('every setting of the figures survives a round trip through the address', () => {
  const figures: FiguresState = {
    window: '30d',
    soFar: true,
    days: { from: '2026-05-01', to: '2026-05-02' },
    before: false,
    evidence: 'lead_time',
    side: 'left-out',
  };
  const search = searchOf({ ...home, figures });
  expect(search).toBe('?window=30d&sofar=1&days=2026-05-01..2026-05-02&before=0&evidence=lead_time&side=left-out');
  expect(addressOf(search).figures).toEqual(figures);
  expect(addressOf('?window=1y&evidence=all&side=up').figures).toEqual(home.figures);
});
