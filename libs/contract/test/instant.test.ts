import fc from 'fast-check';
import { expect, test } from 'vitest';
import { instantFault, parseInstant } from '../src/instant.ts';

test.each([
  ['2026-05-04T09:12:02Z', '2026-05-04T09:12:02Z'],
  ['2026-05-04T09:12:02.120Z', '2026-05-04T09:12:02.120Z'],
  ['2026-05-04t09:12:02.123456789z', '2026-05-04T09:12:02.123456Z'],
  ['2026-05-04T09:12:02+02:00', '2026-05-04T07:12:02Z'],
  ['2026-01-01T00:30:00.5+01:00', '2025-12-31T23:30:00.5Z'],
  ['2026-05-04T09:12:02-23:59', '2026-05-05T09:11:02Z'],
  ['2024-02-29T00:00:00-00:00', '2024-02-29T00:00:00Z'],
  ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00Z'],
  ['9999-12-31T23:59:59.999999999Z', '9999-12-31T23:59:59.999999Z'],
  ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00Z'],
  ['2016-12-31T18:59:60.25-05:00', '2017-01-01T00:00:00.25Z'],
])('%s is parsed as %s', (written, utc) => {
  expect(parseInstant(written)).toBe(utc);
});

test.each([
  'today',
  '2026-05-04',
  '2026-05-04T09:12Z',
  '2026-05-04T09:12:02',
  '2026-05-04 09:12:02Z',
  '2026-05-04T09:12:02+0200',
  '2026-05-04T09:12:02.Z',
  '2026-05-04T09:12:02,5Z',
  '2026-02-30T00:00:00Z',
  '2025-02-29T00:00:00Z',
  '2026-00-10T00:00:00Z',
  '2026-13-01T00:00:00Z',
  '2026-01-00T00:00:00Z',
  '2026-05-04T24:00:00Z',
  '2026-05-04T09:60:00Z',
  '2026-05-04T09:12:60Z',
  '2026-05-04T23:59:61Z',
  '2016-12-31T23:59:60+05:00',
  '2026-05-04T09:12:02+24:00',
  '2026-05-04T09:12:02+01:60',
  '0000-01-01T00:00:00Z',
  '0001-01-01T00:00:00+00:01',
  '9999-12-31T23:59:59-00:01',
  '9999-12-31T23:59:60Z',
  ' 2026-05-04T09:12:02Z',
  '2026-05-04T09:12:02Z\n',
  '２026-05-04T09:12:02Z',
])('%j is not an instant', (written) => {
  expect(parseInstant(written)).toBeUndefined();
});

test('six fraction digits are kept; further digits are cut off, not rounded', () => {
  expect(parseInstant('2026-05-04T09:12:02.1234569Z')).toBe('2026-05-04T09:12:02.123456Z');
  expect(parseInstant('2026-05-04T23:59:59.9999999999-00:00')).toBe('2026-05-04T23:59:59.999999Z');
});

test.each([
  ['yesterday', 'must be an RFC 3339 date-time with Z or an offset, such as 2026-05-04T09:12:02Z'],
  ['2026-05-04T09:12:02', 'must be an RFC 3339 date-time with Z or an offset, such as 2026-05-04T09:12:02Z'],
  ['2026-05-04T09:12:02 02:00', 'has a space instead of the sign of its offset; in a URL, write + as %2B'],
  ['2026-05-04T09:12:02.5 02:00', 'has a space instead of the sign of its offset; in a URL, write + as %2B'],
  ['2026-02-30T00:00:00Z', 'has a date that does not exist: 30 February 2026'],
  ['2025-02-29T00:00:00Z', 'has a date that does not exist: 29 February 2025'],
  ['2026-01-00T00:00:00Z', 'has a date that does not exist: 0 January 2026'],
  ['2026-13-01T00:00:00Z', 'has the month 13, but months must be from 01 to 12'],
  ['0000-01-01T00:00:00Z', 'has the year 0000, but years must be from 0001 to 9999'],
  ['2026-05-04T24:00:00Z', 'has the hour 24, but hours must be from 00 to 23'],
  ['2026-05-04T09:60:00Z', 'has the minute 60, but minutes must be from 00 to 59'],
  ['2026-05-04T09:12:60Z', 'has the second 60, which is valid only at 23:59:60 UTC'],
  ['2026-05-04T09:12:61Z', 'has the second 61, but seconds must be from 00 to 59'],
  ['2026-05-04T09:12:02+24:00', 'has the offset +24:00, but offsets must be from -23:59 to +23:59'],
  ['9999-12-31T23:59:59-00:01', 'is outside the years 0001 to 9999 in UTC'],
])('the error for %j says that the value %s', (written, fault) => {
  expect(instantFault(written)).toBe(fault);
});

test('a valid instant has no error', () => {
  expect(instantFault('2016-12-31T23:59:60Z')).toBeUndefined();
});

test('an instant written by JavaScript is parsed as the same instant, with any offset', () => {
  const offsets = fc.integer({ min: -23 * 60 - 59, max: 23 * 60 + 59 });
  const moments = fc.date({
    min: new Date('0002-01-01T00:00:00Z'),
    max: new Date('9998-12-31T00:00:00Z'),
    noInvalidDate: true,
  });
  fc.assert(
    fc.property(moments, offsets, (moment, offset) => {
      const local = new Date(moment.getTime() + offset * 60_000).toISOString().slice(0, -1);
      const two = (part: number) => String(Math.trunc(Math.abs(part))).padStart(2, '0');
      const written = `${local}${offset < 0 ? '-' : '+'}${two(offset / 60)}:${two(offset % 60)}`;
      expect(parseInstant(written)).toBe(moment.toISOString());
    }),
  );
});
