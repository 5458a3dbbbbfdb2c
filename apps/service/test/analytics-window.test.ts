import { expect, test } from 'vitest';
import { analyticsWindow, dateOf, daysOf, windowShape } from '../src/domain/analytics-window.ts';

const now = Date.parse('2026-05-04T09:12:02.345Z');

function shape(
  asked: string | readonly string[] | undefined,
  options: { hour?: boolean; retentionDays?: number } = {},
) {
  const granularity = options.hour ? 'hour' : 'day';
  return windowShape(analyticsWindow(asked, { now, granularity, retentionDays: options.retentionDays ?? 365 }));
}

test.each([
  [undefined, 7],
  ['7d', 7],
  ['14d', 14],
  ['14D', 7],
  ['30d', 30],
  ['8d', 7],
  ['', 7],
  ['30d ', 7],
  [['30d', '30d'], 7],
])('the window %j has %i days', (asked, days) => {
  expect(shape(asked).days).toBe(days);
});

test('a window ends at the start of the current day or hour', () => {
  expect(shape('7d')).toEqual({
    days: 7,
    from: '2026-04-27T00:00:00Z',
    to: '2026-05-04T00:00:00Z',
    retention_days: 365,
    clamped: false,
  });
  expect(shape('7d', { hour: true })).toMatchObject({ from: '2026-04-27T09:00:00Z', to: '2026-05-04T09:00:00Z' });
});

test('a window is clamped to the retention, and the response says so', () => {
  expect(shape('30d', { retentionDays: 10 })).toMatchObject({
    days: 10,
    from: '2026-04-24T00:00:00Z',
    clamped: true,
    retention_days: 10,
  });
  expect(shape('30d', { retentionDays: 30 })).toMatchObject({ days: 30, clamped: false });
});

test.each([
  ['7d', 'day', 7, 3, '2026-04-30T00:00:00.000Z'],
  ['14d', 'day', 14, 7, '2026-04-27T00:00:00.000Z'],
  ['7d', 'hour', 8, 3, '2026-04-30T09:00:00.000Z'],
] as const)(
  'the window %s with granularity %s spans %i calendar days, %i of them in the prior half',
  (asked, granularity, touched, prior, middle) => {
    const window = analyticsWindow(asked, { now, granularity, retentionDays: 365 });
    const days = daysOf(window).map(dateOf);
    expect(days).toHaveLength(touched);
    expect(days).toEqual([...new Set(days)].sort());
    expect(window.priorDays).toBe(prior);
    expect(window.currentDays).toBe(window.days - prior);
    expect(new Date(window.middle).toISOString()).toBe(middle);
  },
);
