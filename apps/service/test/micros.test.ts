import { expect, test } from 'vitest';
import { hoursBetween, instantOfDay, wholeDays } from '../src/domain/micros.ts';

const daysOf = (from: string, to: string) => wholeDays(from, to).map(instantOfDay);

test.each([
  ['from midnight to midnight', '2026-05-04T00:00:00Z', '2026-05-06T00:00:00Z', ['2026-05-04', '2026-05-06']],
  ['a microsecond after midnight', '2026-05-04T00:00:00.000001Z', '2026-05-06T00:00:00Z', ['2026-05-05', '2026-05-06']],
  [
    'a microsecond before midnight',
    '2026-05-04T00:00:00Z',
    '2026-05-05T23:59:59.999999Z',
    ['2026-05-04', '2026-05-05'],
  ],
  ['within a day, none', '2026-05-04T09:00:00Z', '2026-05-04T10:00:00Z', ['2026-05-05', '2026-05-04']],
  ['before 1970', '1969-12-30T12:00:00Z', '1970-01-01T12:00:00Z', ['1969-12-31', '1970-01-01']],
])('whole days: %s', (_, from, to, due) => {
  expect(daysOf(from, to)).toEqual(due.map((day) => `${day}T00:00:00Z`));
});

test('the hours of boundaries include those that a boundary cuts, even before 1970', () => {
  const at = (minutes: number) => new Date(minutes * 60_000).toISOString();
  expect(hoursBetween([at(60), at(120), at(180)])).toEqual({ hours: [1, 3], cut: [] });
  expect(hoursBetween([at(90), at(120), at(150)])).toEqual({ hours: [1, 3], cut: [1, 2] });
  expect(hoursBetween([at(-90), at(-30), at(0)])).toEqual({ hours: [-2, 0], cut: [-2, -1] });
  expect(hoursBetween([at(70), at(75), at(80)])).toEqual({ hours: [1, 2], cut: [1] });
});
