import { expect, test } from 'vitest';
import { globsIn, weekendOf } from '../src/holds/fields.tsx';

const local = (text: string) => new Date(text).getTime();

test.each([
  ['2026-11-25T10:00', '2026-11-28T00:00'],
  ['2026-11-27T23:59', '2026-11-28T00:00'],
  ['2026-11-28T00:00', ''],
  ['2026-11-29T23:59', ''],
])('at %s the weekend begins at "%s" and ends on Monday', (now, from) => {
  expect(weekendOf(local(now))).toEqual({ from, until: '2026-11-30T00:00' });
});

test('on a Monday the weekend is the next one', () => {
  expect(weekendOf(local('2026-11-30T00:00'))).toEqual({ from: '2026-12-05T00:00', until: '2026-12-07T00:00' });
});

test('names are separated by commas and may contain spaces', () => {
  expect(globsIn(' billing,, Production EU , ')).toEqual(['billing', 'Production EU']);
});
