import { expect, test } from 'vitest';
import {
  coverageText,
  datesFrom,
  dayInterval,
  logBegin,
  minuteLabel,
  partialDates,
  periodBefore,
  periodOf,
  periodText,
} from '../src/analytics/period.ts';
import type { Range } from '../src/range/range.ts';
import { addressOf, home, searchOf } from '../src/state/address.ts';

const nowMs = Date.parse('2026-05-10T14:20:30Z');
const window = (from: string, to: string, more = {}) => ({
  days: 7,
  from,
  to,
  retention_days: 90,
  clamped: false,
  ...more,
});

test.each<[Range, from: string, to: string, text: string]>([
  [{ name: '7d' }, '2026-05-04T00:00', '2026-05-10T14:21', '4 May – now'],
  [{ name: '30d' }, '2026-04-11T00:00', '2026-05-10T14:21', '11 Apr – now'],
  [{ name: '1h' }, '2026-05-10T00:00', '2026-05-10T14:21', '10 May – now'],
  [{ name: 'yesterday' }, '2026-05-09T00:00', '2026-05-10T00:00', '9 May'],
  [{ name: 'this-month' }, '2026-05-01T00:00', '2026-05-10T14:21', '1 May – now'],
  [{ name: 'last-month' }, '2026-04-01T00:00', '2026-05-01T00:00', '1 Apr – 30 Apr'],
  [{ name: 'last-quarter' }, '2026-01-01T00:00', '2026-04-01T00:00', '1 Jan – 31 Mar'],
  [
    { from: '2026-04-30T09:00:00Z', to: '2026-05-02T10:00:00Z' },
    '2026-04-30T00:00',
    '2026-05-03T00:00',
    '30 Apr – 2 May',
  ],
  [{ from: '2026-05-09T09:00:00Z', to: undefined }, '2026-05-09T00:00', '2026-05-10T14:21', '9 May – now'],
  [{ from: '2026-05-09T00:00:00Z', to: '2026-05-20T00:00:00Z' }, '2026-05-09T00:00', '2026-05-10T14:21', '9 May – now'],
])('the range %j is extended to UTC days', (range, from, to, text) => {
  const period = periodOf(range, nowMs);
  expect(period).toEqual({ from: `${from}:00.000Z`, to: `${to}:00.000Z` });
  expect(periodText(period, nowMs)).toBe(text);
});

test('in the last minute of a day, the period ends with the day, because the service accepts no later end', () => {
  const lateMs = Date.parse('2026-05-10T23:59:59.9Z');
  expect(periodOf({ name: '7d' }, lateMs).to).toBe('2026-05-11T00:00:00.000Z');
});

test('a range of 400 days that begins and ends within days is not extended beyond 400 days', () => {
  const { from, to } = periodOf({ from: '2025-03-01T12:00:00Z', to: '2026-04-05T12:00:00Z' }, nowMs);
  expect((Date.parse(to) - Date.parse(from)) / 86_400_000).toBe(400);
});

const young = window('2026-05-04T00:00:00Z', '2026-05-10T14:24:00Z', {
  covered_from: '2026-05-08T02:24:00Z',
  covered_days: 3,
});

test.each([
  [young, 'since 8 May 02:24 UTC, when the log begins: 2.5 of 7 days are covered'],
  [window('2026-05-04T00:00:00Z', '2026-05-10T14:21:00Z'), 'from 4 May to today 14:21 UTC'],
  [window('2026-05-03T00:00:00Z', '2026-05-10T00:00:00Z'), 'from 3 May to 9 May'],
  [window('2026-05-02T00:00:00Z', '2026-05-09T14:00:00Z'), 'from 2 May to 9 May 14:00 UTC'],
])('the sentence says which part of the period is covered: %#', (period, text) => {
  expect(coverageText(period, nowMs)).toBe(text);
});

test('the log begins within a period only if its oldest event is later than the start', () => {
  expect(logBegin(young)).toBe('2026-05-08T02:24:00Z');
  expect(logBegin({ ...young, covered_from: '2026-05-04T00:00:00.000000Z' })).toBeUndefined();
  expect(logBegin(window('2026-05-04T00:00:00Z', '2026-05-10T00:00:00Z'))).toBeUndefined();
});

test('the day on which the log begins and a day that is not over are partial', () => {
  expect([...partialDates(young)]).toEqual(['2026-05-08', '2026-05-10']);
  expect([...partialDates(window('2026-05-03T00:00:00Z', '2026-05-10T00:00:00Z'))]).toEqual([]);
});

test('days are compared with as many whole days before, unless their events may have been pruned', () => {
  const period = window('2026-05-04T00:00:00Z', '2026-05-10T14:21:00Z');
  expect(periodBefore({ name: '7d' }, period, nowMs)).toEqual({
    from: '2026-04-27T00:00:00.000Z',
    to: '2026-05-04T00:00:00.000Z',
  });
  expect(periodBefore({ name: '7d' }, { ...period, retention_days: 13 }, nowMs)).toBeDefined();
  expect(periodBefore({ name: '7d' }, { ...period, retention_days: 12 }, nowMs)).toBeUndefined();
  expect(periodBefore({ name: '7d' }, { ...period, clamped: true }, nowMs)).toBeUndefined();
});

test('months and quarters are compared with the whole month or quarter before, however long it was', () => {
  const march = new Date('2026-03-15T12:00:00Z').getTime();
  const period = window('2026-03-01T00:00:00Z', '2026-03-15T12:01:00Z');
  const before = (range: Range) => periodBefore(range, { ...period, retention_days: 400 }, march);
  const february = { from: '2026-02-01T00:00:00.000Z', to: '2026-03-01T00:00:00.000Z' };
  const january = { from: '2026-01-01T00:00:00.000Z', to: february.from };
  expect(before({ name: 'this-month' })).toEqual(february);
  expect(before({ name: 'last-month' })).toEqual(january);
  expect(before(february)).toEqual(january);
  expect(before({ name: 'last-quarter' })).toEqual({
    from: '2025-07-01T00:00:00.000Z',
    to: '2025-10-01T00:00:00.000Z',
  });
  expect(periodBefore({ name: 'this-month' }, { ...period, retention_days: 42 }, march)).toEqual(february);
  expect(periodBefore({ name: 'this-month' }, { ...period, retention_days: 41 }, march)).toBeUndefined();
});

test('the events of a day are those within the period', () => {
  const from = '2026-05-10T00:00:00.000Z';
  expect(dayInterval('2026-05-10', young)).toEqual({ from, to: '2026-05-10T14:24:00.000Z' });
  expect(dayInterval('2026-05-05', young)).toEqual({
    from: '2026-05-05T00:00:00.000Z',
    to: '2026-05-06T00:00:00.000Z',
  });
});

test('dates and times are in UTC', () => {
  expect(datesFrom(young, 3)).toEqual(['2026-05-04', '2026-05-05', '2026-05-06']);
  expect(minuteLabel('2026-05-03T23:59:59.5Z')).toBe('3 May 23:59');
});

test.each([
  ['?view=analytics', '?view=analytics'],
  ['?view=analytics&window=14d&sofar=1&before=0', '?view=analytics&range=14d'],
  [
    '?view=analytics&days=2026-05-01..2026-05-02&evidence=lead_time',
    '?view=analytics&evidence=lead_time&from=2026-05-01T00%3A00%3A00.000Z&to=2026-05-03T00%3A00%3A00.000Z',
  ],
  ['?view=analytics&days=2026-05-02..2026-05-01', '?view=analytics'],
])('the former address %s keeps its meaning', (former, today) => {
  expect(searchOf(addressOf(former))).toBe(today);
});

test('every setting of the figures survives a round trip through the address', () => {
  const figures = { tab: 'overview', compare: true, evidence: 'lead_time', side: 'left-out' } as const;
  const search = searchOf({ ...home, view: 'analytics', figures, range: { name: 'last-quarter' } });
  expect(search).toBe('?view=analytics&compare=1&evidence=lead_time&side=left-out&range=last-quarter');
  expect(addressOf(search)).toMatchObject({ figures, range: { name: 'last-quarter' } });
  expect(addressOf('?view=analytics&evidence=all&side=up').figures).toEqual(home.figures);
});
