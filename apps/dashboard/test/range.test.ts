import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Zone } from '../src/range/calendar.ts';
import { liveAgain, type Range, rangeNames, shifted, spanOf, zoomedOut } from '../src/range/range.ts';
import { fieldText, rangeInSentence, rangeWords } from '../src/range/range-words.ts';
import { rangeOfTexts, typedRange } from '../src/range/typed-range.ts';
import { addressOf } from '../src/state/address.ts';

/** Friday, 20 November 2026, 14:32:30 in local time. */
const nowMs = new Date(2026, 10, 20, 14, 32, 30).getTime();

function local(month: number, day: number, hour = 0, minute = 0): number {
  return new Date(2026, month - 1, day, hour, minute).getTime();
}

function between(fromMs: number, toMs?: number): Range {
  const instant = (ms: number) => new Date(ms).toISOString().replace('.000Z', 'Z');
  return { from: instant(fromMs), to: toMs === undefined ? undefined : instant(toMs) };
}

const hour = between(local(11, 19, 13, 10), local(11, 19, 14, 10));
const endOfNow = local(11, 20, 14, 33);

describe('the times of a range', () => {
  test.each<[Range, number, number, boolean]>([
    [{ name: '1h' }, local(11, 20, 13, 33), endOfNow, true],
    [{ name: '24h' }, local(11, 19, 14, 33), endOfNow, true],
    [{ name: 'today' }, local(11, 20), endOfNow, true],
    [{ name: 'yesterday' }, local(11, 19), local(11, 20), false],
    [{ name: 'this-month' }, local(11, 1), endOfNow, true],
    [{ name: 'last-month' }, local(10, 1), local(11, 1), false],
    [{ name: 'last-quarter' }, local(7, 1), local(10, 1), false],
    [hour, local(11, 19, 13, 10), local(11, 19, 14, 10), false],
    [between(local(11, 20, 14)), local(11, 20, 14), endOfNow, true],
    [between(local(11, 20, 14), local(11, 20, 16)), local(11, 20, 14), local(11, 20, 16), true],
  ])('%j', (range, fromMs, toMs, isLive) => {
    expect(spanOf(range, nowMs)).toEqual({ fromMs, toMs, isLive });
  });

  test('days and months are those of UTC where the view counts in UTC', () => {
    const at = Date.UTC(2026, 0, 1, 0, 30);
    const days = (name: 'yesterday' | 'last-month' | 'last-quarter') => {
      const { fromMs, toMs } = spanOf({ name }, at, 'utc');
      return [fromMs, toMs].map((ms) => new Date(ms).toISOString().slice(0, 16));
    };
    expect(days('yesterday')).toEqual(['2025-12-31T00:00', '2026-01-01T00:00']);
    expect(days('last-month')).toEqual(['2025-12-01T00:00', '2026-01-01T00:00']);
    expect(days('last-quarter')).toEqual(['2025-10-01T00:00', '2026-01-01T00:00']);
  });

  test('a range is never empty and never longer than 400 days', () => {
    expect(spanOf(between(local(11, 20, 15)), nowMs)).toMatchObject({ fromMs: endOfNow - 60_000, toMs: endOfNow });
    expect(spanOf({ from: '2020-01-01', to: undefined }, nowMs).fromMs).toBe(endOfNow - 400 * 86_400_000);
  });
});

describe('the range before and after', () => {
  test.each<[Range, Range | undefined, Range | undefined]>([
    [
      hour,
      between(local(11, 19, 12, 10), local(11, 19, 13, 10)),
      between(local(11, 19, 14, 10), local(11, 19, 15, 10)),
    ],
    [{ name: 'yesterday' }, between(local(11, 18), local(11, 19)), { name: 'today' }],
    [between(local(11, 18), local(11, 19)), between(local(11, 17), local(11, 18)), { name: 'yesterday' }],
    [{ name: 'last-month' }, between(local(9, 1), local(10, 1)), { name: 'this-month' }],
    [{ name: 'last-quarter' }, between(local(4, 1), local(7, 1)), between(local(10, 1))],
    [{ name: '1h' }, between(local(11, 20, 12, 33), local(11, 20, 13, 33)), undefined],
    [between(local(11, 20, 13), local(11, 20, 14)), between(local(11, 20, 12), local(11, 20, 13)), { name: '1h' }],
  ])('%j', (range, before, after) => {
    expect([shifted(range, -1, nowMs), shifted(range, 1, nowMs)]).toEqual([before, after]);
  });

  test('zooming out doubles the range around its middle, but not beyond now', () => {
    expect(zoomedOut(hour, nowMs)).toEqual(between(local(11, 19, 12, 40), local(11, 19, 14, 40)));
    expect(zoomedOut({ name: '1h' }, nowMs)).toEqual(between(local(11, 20, 12, 33)));
    expect(zoomedOut(between(local(11, 20, 2), local(11, 20, 14)), nowMs)).toEqual({ name: '24h' });
    expect(zoomedOut({ from: '2020-01-01', to: undefined }, nowMs)).toBeUndefined();
  });

  test('going live keeps the length if a named range has it', () => {
    expect([liveAgain(hour, nowMs), liveAgain({ name: 'yesterday' }, nowMs)]).toEqual([
      { name: '1h' },
      { name: '24h' },
    ]);
    expect(liveAgain(between(local(11, 2), local(11, 4)), nowMs)).toEqual({ name: '24h' });
  });

  test('later follows earlier, and every step stays within 400 days', () => {
    const ranges = fc.oneof(
      fc.constantFrom(...rangeNames).map((name): Range => ({ name })),
      fc
        .tuple(fc.integer({ min: 1, max: 500_000 }), fc.integer({ min: 1, max: 500_000 }))
        .map(([ago, minutes]) => between(local(11, 20) - (ago + minutes) * 60_000, local(11, 20) - ago * 60_000)),
    );
    fc.assert(
      fc.property(ranges, fc.constantFrom<Zone>('local', 'utc'), (range, zone) => {
        const earlier = shifted(range, -1, nowMs, zone);
        if (!earlier) throw new Error('there is always an earlier range');
        const [one, other] = [spanOf(earlier, nowMs, zone), spanOf(range, nowMs, zone)];
        expect(one.toMs).toBe(other.fromMs);
        const out = zoomedOut(range, nowMs);
        const { fromMs, toMs } = spanOf(out ?? range, nowMs);
        expect(toMs - fromMs).toBeLessThanOrEqual(400 * 86_400_000);
      }),
    );
  });
});

test.each<[Range, string, string]>([
  [hour, 'Thu 19 Nov, 13:10 – 14:10', '13:10–14:10'],
  [{ name: '24h' }, 'Last 24 hours', 'last 24 hours'],
  [between(local(11, 19, 22), local(11, 20)), 'Thu 19 Nov, 22:00 – 24:00', '22:00–24:00'],
  [between(local(11, 19), local(11, 20)), 'Thu 19 Nov', 'Thu 19 Nov'],
  [between(local(11, 17), local(11, 20)), 'Tue 17 Nov – Thu 19 Nov', 'Tue 17 Nov – Thu 19 Nov'],
  [
    between(local(11, 18, 9), local(11, 19, 14, 10)),
    'Wed 18 Nov, 09:00 – Thu 19 Nov, 14:10',
    'Wed 18 Nov, 09:00 – Thu 19 Nov, 14:10',
  ],
  [between(local(11, 19, 13, 10)), 'Thu 19 Nov, 13:10 – now', 'Thu 19 Nov, 13:10 – now'],
  [
    between(new Date(2025, 10, 19, 8).getTime(), new Date(2025, 10, 19, 9).getTime()),
    'Wed 19 Nov 2025, 08:00 – 09:00',
    '08:00–09:00',
  ],
])('the range %j is called %s', (range, words, inSentence) => {
  expect([rangeWords(range, nowMs), rangeInSentence(range, nowMs)]).toEqual([words, inSentence]);
});

describe('a typed range', () => {
  test.each<[string, Range]>([
    ['yesterday 13:10 to 14:10', hour],
    ['19 Nov 13:10 – 14:10', hour],
    ['between yesterday 13:10 and 14:10', hour],
    ['2026-11-19 13:10 - 2026-11-19 14:10', hour],
    ['13:10 to 14:10', between(local(11, 20, 13, 10), local(11, 20, 14, 10))],
    ['yesterday 23:00 to 1:00', between(local(11, 19, 23), local(11, 20, 1))],
    ['Last hour', { name: '1h' }],
    ['the last 24 hours', { name: '24h' }],
    ['7d', { name: '7d' }],
    ['last 7 days', { name: '7d' }],
    ['yesterday', { name: 'yesterday' }],
    ['last quarter', { name: 'last-quarter' }],
    ['wednesday', between(local(11, 18), local(11, 19))],
    ['17 Nov to 19 Nov', between(local(11, 17), local(11, 20))],
    ['since monday', between(local(11, 16))],
    ['since yesterday 14:05', between(local(11, 19, 14, 5))],
    ['around yesterday 14:05', between(local(11, 19, 13, 5), local(11, 19, 15, 5))],
  ])('%s', (text, range) => {
    expect(typedRange(text, nowMs)).toEqual(range);
  });

  test.each(['', 'soon', '14:05', 'prod', 'yesterday 14:10 to yesterday 13:10', 'since tomorrow', 'to 14:10'])(
    '“%s” is none',
    (text) => {
      expect(typedRange(text, nowMs)).toBeUndefined();
    },
  );

  test('the fields of the control read what they show', () => {
    const { fromMs, toMs } = spanOf(hour, nowMs);
    expect(rangeOfTexts(fieldText(fromMs), fieldText(toMs), nowMs)).toEqual(hour);
    expect(rangeOfTexts(fieldText(fromMs), '', nowMs)).toEqual({ ...hour, to: undefined });
  });
});

test.each<[string, Range | undefined]>([
  ['?view=changes', undefined],
  ['?view=changes&range=7d', { name: '7d' }],
  ['?view=analytics&range=last-quarter', { name: 'last-quarter' }],
  ['?view=changes&from=2026-05-01', { from: '2026-05-01T00:00:00.000Z', to: undefined }],
  [
    '?view=changes&from=2026-05-01T10:00:00Z&to=2026-05-01T11:00:00%2B00:00&range=7d',
    { from: '2026-05-01T10:00:00Z', to: '2026-05-01T11:00:00+00:00' },
  ],
  ['?view=changes&from=2026-05-02&to=2026-05-01', undefined],
  ['?view=changes&from=2024-05-02&to=2026-05-01', undefined],
  ['?view=changes&from=2026-05-02&to=never', undefined],
  ['?view=changes&to=2026-05-01', undefined],
  ['?view=changes&range=8d', undefined],
])('the address %s has the range %j', (search, range) => {
  expect(addressOf(search).range).toEqual(range);
});
