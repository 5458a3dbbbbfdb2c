import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseInstant } from '../src/instant.ts';

test.each([
  ['2026-05-04T09:12:02Z', '2026-05-04T09:12:02Z'],
  ['2026-05-04T09:12:02.120Z', '2026-05-04T09:12:02.120Z'],
  ['2026-05-04t09:12:02.123456789z', '2026-05-04T09:12:02.123456789Z'],
  ['2026-05-04T09:12:02+02:00', '2026-05-04T07:12:02Z'],
  ['2026-01-01T00:30:00.5+01:00', '2025-12-31T23:30:00.5Z'],
  ['2026-05-04T09:12:02-23:59', '2026-05-05T09:11:02Z'],
  ['2024-02-29T00:00:00-00:00', '2024-02-29T00:00:00Z'],
  ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00Z'],
  ['9999-12-31T23:59:59.999999999Z', '9999-12-31T23:59:59.999999999Z'],
  ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00Z'],
  ['2016-12-31T18:59:60.25-05:00', '2017-01-01T00:00:00.25Z'],
])('%s is the instant %s', (written, utc) => {
  expect(parseInstant(written)?.text).toBe(utc);
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
])('%j is no instant', (written) => {
  expect(parseInstant(written)).toBeUndefined();
});

test('digits beyond the sixth are cut for ordering and kept in the text', () => {
  expect(parseInstant('2026-05-04T09:12:02.1234569Z')).toEqual({
    text: '2026-05-04T09:12:02.1234569Z',
    micros: '2026-05-04T09:12:02.123456Z',
  });
});

test('what JavaScript writes for an instant is read as the same instant, in any offset', () => {
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
      expect(parseInstant(written)?.text).toBe(moment.toISOString());
    }),
  );
});
