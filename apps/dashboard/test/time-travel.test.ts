import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { typedTime } from '../src/range/typed-time.ts';
import { stepAmong, type Timeline, ticksOf, timelineFor } from '../src/time-travel/steps.ts';
import { dayAndTime, omittedDate, spanText } from '../src/time-travel/time-words.ts';
import { anEvent } from './support/an-event.ts';

/** Friday, 20 November 2026, 14:32 in local time. */
const nowMs = new Date(2026, 10, 20, 14, 32).getTime();
const hourMs = 3_600_000;

function local(month: number, day: number, hour = 0, minute = 0, second = 0): number {
  return new Date(2026, month - 1, day, hour, minute, second).getTime();
}

describe('a time typed in words', () => {
  test.each<[string, number]>([
    ['14:05', local(11, 20, 14, 5)],
    [' 9:00 ', local(11, 20, 9)],
    ['17:05', local(11, 19, 17, 5)],
    ['14:32', local(11, 20, 14, 32)],
    ['2:05 pm', local(11, 20, 14, 5)],
    ['12:05am', local(11, 20, 0, 5)],
    ['14:05:30', local(11, 20, 14, 5, 30)],
    ['yesterday 14:05', local(11, 19, 14, 5)],
    ['14:05 yesterday', local(11, 19, 14, 5)],
    ['Yesterday, 17:05', local(11, 19, 17, 5)],
    ['yesterday at 17:05', local(11, 19, 17, 5)],
    ['today 08:00', local(11, 20, 8)],
    ['Thursday 14:05', local(11, 19, 14, 5)],
    ['fri 14:00', local(11, 20, 14)],
    ['fri 15:00', local(11, 13, 15)],
    ['2026-11-12 14:05', local(11, 12, 14, 5)],
    ['2026-11-12T14:05', local(11, 12, 14, 5)],
    ['12 Nov 14:05', local(11, 12, 14, 5)],
    ['Nov 12, 14:05', local(11, 12, 14, 5)],
    ['12th november 2026, 14:05', local(11, 12, 14, 5)],
    ['24 Dec 18:00', new Date(2025, 11, 24, 18).getTime()],
    ['3 h ago', nowMs - 3 * hourMs],
    ['90 min ago', nowMs - 1.5 * hourMs],
    ['2 days ago', nowMs - 48 * hourMs],
    ['2026-11-19T16:05:00.123456Z', Date.UTC(2026, 10, 19, 16, 5, 0, 123)],
    ['2026-11-19T16:05:00+02:00', Date.UTC(2026, 10, 19, 14, 5)],
  ])('parses the typed time "%s"', (text, ms) => {
    expect(typedTime(text, nowMs)).toEqual({ ms });
  });

  test.each([
    'soon',
    '',
    '25:00',
    '14:60',
    '13:00 pm',
    '31 Feb 14:05',
    '2026-02-30 14:05',
    '14:05 x y z',
    'noon 14:05',
  ])('rejects the typed time "%s" as invalid', (text) => {
    expect(typedTime(text, nowMs)).toMatchObject({ fault: expect.stringMatching(/^Not a valid time\. Type/) });
  });

  test.each(['today 15:00', '2026-11-21 14:05', '2027-01-01T00:00:00Z'])(
    'rejects the typed time "%s" as in the future',
    (text) => {
      expect(typedTime(text, nowMs)).toEqual({ fault: 'That time is in the future.' });
    },
  );

  test('the present is not a past time', () => {
    expect(typedTime(' Now', nowMs)).toBe('now');
  });

  test('parses the time as the banner writes it', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 300 * 86_400 }), (secondsAgo) => {
        const ms = nowMs - secondsAgo * 1000;
        expect(typedTime(dayAndTime(ms, nowMs), nowMs)).toEqual({ ms });
      }),
    );
  });
});

describe('a past time in words', () => {
  test.each<[number, string, string | undefined]>([
    [local(11, 20, 14, 5), 'Today, 14:05', '20 Nov 2026'],
    [local(11, 19, 17, 5), 'Yesterday, 17:05', '19 Nov 2026'],
    [local(11, 18, 23, 59, 7), '18 Nov 2026, 23:59:07', undefined],
  ])('describes the time %i', (ms, words, date) => {
    expect([dayAndTime(ms, nowMs), omittedDate(ms, nowMs)]).toEqual([words, date]);
  });

  test.each([
    [(21 * 60 + 27) * 60_000, '21 h 27 min'],
    [3 * 24 * hourMs + 2 * hourMs, '3 d 2 h'],
    [2 * hourMs, '2 h'],
    [59_999, '59 s'],
    [0, '0 s'],
    [-5, '0 s'],
  ])('a duration of %i ms is shown as %s', (ms, due) => {
    expect(spanText(ms)).toBe(due);
  });
});

describe('a step of the past board', () => {
  const at = (happened_at: string) => anEvent({ happened_at });
  const events = [
    at('2026-11-19T10:00:00.000002Z'),
    at('2026-11-19T12:00:00Z'),
    at('2026-11-19T10:00:00.000001Z'),
    at('2026-11-19T12:00:00Z'),
  ];
  test.each([
    ['before', undefined, '2026-11-19T12:00:00Z'],
    ['before', '2026-11-19T12:00:00Z', '2026-11-19T10:00:00.000002Z'],
    ['before', '2026-11-19T10:00:00.000002Z', '2026-11-19T10:00:00.000001Z'],
    ['before', '2026-11-19T10:00:00.000001Z', undefined],
    ['after', '2026-11-19T10:00:00.000001Z', '2026-11-19T10:00:00.000002Z'],
    ['after', '2026-11-19T11:00:00+00:00', '2026-11-19T12:00:00Z'],
    ['after', '2026-11-19T12:00:00Z', undefined],
    ['after', undefined, undefined],
  ] as const)('steps %s from %s to %s', (direction, from, due) => {
    expect(stepAmong(events, from, direction)).toBe(due);
  });
});

describe('the timeline of a past board', () => {
  const length = ({ fromMs, untilMs }: Timeline) => (untilMs - fromMs) / hourMs;

  test('the timeline ends now for times in the last 24 hours and centers older times', () => {
    expect(timelineFor(undefined, undefined, nowMs)).toEqual({ fromMs: nowMs - 24 * hourMs, untilMs: nowMs });
    expect(timelineFor(undefined, nowMs - 23 * hourMs, nowMs).untilMs).toBe(nowMs);
    const older = timelineFor(undefined, nowMs - 50 * hourMs, nowMs);
    expect([older.untilMs, length(older)]).toEqual([nowMs - 38 * hourMs, 24]);
    expect(timelineFor(undefined, nowMs - 30 * hourMs, nowMs).untilMs).toBe(nowMs - 18 * hourMs);
  });

  test('the timeline does not move while it contains the time', () => {
    const timeline = timelineFor(undefined, nowMs - 50 * hourMs, nowMs);
    expect(timelineFor(timeline, timeline.fromMs, nowMs)).toBe(timeline);
    expect(timelineFor(timeline, timeline.fromMs - 1, nowMs)).not.toBe(timeline);
    const near = timelineFor(undefined, undefined, nowMs);
    expect(timelineFor(near, undefined, nowMs + 60_000)).toBe(near);
    expect(timelineFor(near, undefined, nowMs + hourMs).untilMs).toBe(nowMs + hourMs);
    expect(timelineFor(near, nowMs - hourMs, nowMs + 2 * hourMs)).toBe(near);
  });

  test('the timeline has one mark per six minutes, which says whether a deployment failed', () => {
    const timeline = timelineFor(undefined, undefined, nowMs);
    const ago = (minutes: number, status: 'success' | 'failure') =>
      anEvent({ status, happened_at: new Date(nowMs - minutes * 60_000).toISOString() });
    expect(
      ticksOf(
        [ago(1, 'success'), ago(2, 'failure'), ago(3, 'success'), ago(720, 'success'), ago(3000, 'failure')],
        timeline,
      ),
    ).toEqual([
      { at: 239 / 240, failed: true },
      { at: 0.5, failed: false },
    ]);
  });
});
