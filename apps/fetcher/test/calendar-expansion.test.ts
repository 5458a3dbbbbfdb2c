import { expect, test } from 'vitest';
import { calendarText, faultOf, freezesIn, spansOf } from './support/calendar.ts';

const berlin = 'DTSTART;TZID=Europe/Berlin:';

test('an event becomes a freeze with its start, end and summary', () => {
  const event = ['UID:a@b', 'DTSTART:20261223T080000Z', 'DTEND:20270104T080000Z', 'SUMMARY:Christmas\\, all of it'];
  expect(freezesIn(calendarText([event]))).toEqual({
    items: [
      {
        ...{ uid: 'a@b', summary: 'Christmas, all of it' },
        ...{ startMs: Date.UTC(2026, 11, 23, 8), endMs: Date.UTC(2027, 0, 4, 8) },
      },
    ],
    hasMore: false,
  });
});

test.each<[string, string[], string[], string | undefined, string]>([
  ['X-WR-TIMEZONE', ['X-WR-TIMEZONE:Europe/Berlin'], [], 'UTC', '2026-10-24T22:00 2026-10-25T23:00'],
  ['the zone of the entry', [], [], 'Europe/Berlin', '2026-10-24T22:00 2026-10-25T23:00'],
  ['UTC', [], [], undefined, '2026-10-25T00:00 2026-10-26T00:00'],
])('an all-day event begins and ends at midnight of %s', (_, head, more, zone, expected) => {
  const day = ['DTSTART;VALUE=DATE:20261025', 'DTEND;VALUE=DATE:20261026', ...more];
  expect(spansOf([day], head, { ...(zone && { zone }) })).toEqual([expected]);
});

test.each([
  ['Europe/Berlin', '20261025', '2026-10-24T22:00 2026-10-25T23:00'],
  ['Europe/Berlin', '20270328', '2027-03-27T23:00 2027-03-28T22:00'],
  ['America/New_York', '20261101', '2026-11-01T04:00 2026-11-02T05:00'],
  ['America/New_York', '20270314', '2027-03-14T05:00 2027-03-15T04:00'],
])('in %s the day %s, when the clocks change, begins and ends at midnight', (zone, day, expected) => {
  expect(spansOf([[`DTSTART;VALUE=DATE:${day}`]], [], { zone })).toEqual([expected]);
});

test("a time without a zone uses the calendar's zone, and a day without midnight begins with its first minute", () => {
  expect(spansOf([['DTSTART:20261223T080000', 'DURATION:PT1H']], [], { zone: 'Asia/Tokyo' })).toEqual([
    '2026-12-22T23:00 2026-12-23T00:00',
  ]);
  expect(spansOf([['DTSTART;VALUE=DATE:20270425']], ['X-WR-TIMEZONE:Africa/Cairo'])).toHaveLength(1);
  expect(
    spansOf([['DTSTART;VALUE=DATE:20230428']], ['X-WR-TIMEZONE:Africa/Cairo'], { at: '2023-04-01T00:00:00Z' }),
  ).toEqual(['2023-04-27T22:00 2023-04-28T21:00']);
});

test("a recurrence follows the wall clock of the event's zone", () => {
  const weekend = [`${berlin}20261016T160000`, 'DTEND;TZID=Europe/Berlin:20261019T080000', 'RRULE:FREQ=WEEKLY;COUNT=3'];
  expect(spansOf([weekend])).toEqual([
    '2026-10-16T14:00 2026-10-19T06:00',
    '2026-10-23T14:00 2026-10-26T07:00',
    '2026-10-30T15:00 2026-11-02T07:00',
  ]);
});

test('a duration in hours is real time, and one in days follows the wall clock', () => {
  const night = `${berlin}20261024T220000`;
  expect(spansOf([[night, 'DURATION:PT10H']])).toEqual(['2026-10-24T20:00 2026-10-25T06:00']);
  expect(spansOf([[night, 'DURATION:P1D']])).toEqual(['2026-10-24T20:00 2026-10-25T21:00']);
});

test('a weekly rule on several days skips its EXDATE and adds its RDATE', () => {
  const event = [
    ...[`${berlin}20261019T090000`, 'DURATION:PT1H', 'RRULE:FREQ=WEEKLY;BYDAY=MO,FR;UNTIL=20261102T080000Z'],
    ...['EXDATE;TZID=Europe/Berlin:20261023T090000', 'RDATE;TZID=Europe/Berlin:20261028T090000'],
    'RDATE;VALUE=PERIOD:20261101T100000Z/PT2H,20261101T200000Z/20261101T210000Z',
  ];
  expect(spansOf([event])).toEqual([
    '2026-10-19T07:00 2026-10-19T08:00',
    '2026-10-26T08:00 2026-10-26T09:00',
    '2026-10-28T08:00 2026-10-28T09:00',
    '2026-10-30T08:00 2026-10-30T09:00',
    '2026-11-01T10:00 2026-11-01T12:00',
    '2026-11-01T20:00 2026-11-01T21:00',
    '2026-11-02T08:00 2026-11-02T09:00',
  ]);
});

test('an all-day recurrence skips the dates of EXDATE', () => {
  const days = ['DTSTART;VALUE=DATE:20261024', 'RRULE:FREQ=DAILY;COUNT=3', 'EXDATE;VALUE=DATE:20261025'];
  expect(spansOf([days], [], { zone: 'Europe/Berlin' })).toEqual([
    '2026-10-23T22:00 2026-10-24T22:00',
    '2026-10-25T23:00 2026-10-26T23:00',
  ]);
});

const daily = ['UID:d', `${berlin}20261019T090000`, 'DURATION:PT1H', 'RRULE:FREQ=DAILY;COUNT=3', 'SUMMARY:daily'];
const moved = ['UID:d', 'RECURRENCE-ID;TZID=Europe/Berlin:20261020T090000', `${berlin}20261022T100000`];

test('RECURRENCE-ID moves an instance, wherever it is in the file', () => {
  const events = [daily, [...moved, 'DURATION:PT2H', 'SUMMARY:moved']];
  for (const order of [events, events.toReversed()]) {
    expect(spansOf(order)).toEqual([
      '2026-10-19T07:00 2026-10-19T08:00',
      '2026-10-21T07:00 2026-10-21T08:00',
      '2026-10-22T08:00 2026-10-22T10:00',
    ]);
    expect(freezesIn(calendarText(order)).items.map(({ summary }) => summary)).toEqual(['daily', 'daily', 'moved']);
  }
});

test('STATUS:CANCELLED removes an event, and one instance of a recurrence', () => {
  expect(spansOf([[...daily, 'STATUS:CANCELLED']])).toEqual([]);
  expect(spansOf([daily, [...moved, 'DURATION:PT2H', 'STATUS:CANCELLED']])).toHaveLength(2);
});

test('of two versions of an event, the one with the greater SEQUENCE counts', () => {
  const version = (hour: string, sequence: number) => [
    ...['UID:v', `DTSTART:20261019T${hour}0000Z`, 'DURATION:PT1H', `SEQUENCE:${sequence}`],
  ];
  for (const order of [
    [version('09', 2), version('08', 1)],
    [version('08', 1), version('09', 2)],
  ]) {
    expect(spansOf(order)).toEqual(['2026-10-19T09:00 2026-10-19T10:00']);
  }
});

test('an instance that is over is skipped, and a running one is not', () => {
  const day = (date: string) => [`DTSTART;VALUE=DATE:${date}`];
  expect(spansOf([day('20260930'), day('20261001'), ['DTSTART:20261001T110000Z', 'DTEND:20261001T120000Z']])).toEqual([
    '2026-10-01T00:00 2026-10-02T00:00',
  ]);
});

test('a long instance is found while it runs, even if its recurrence began long ago', () => {
  const yearly = ['DTSTART;VALUE=DATE:20060801', 'DTEND;VALUE=DATE:20061101', 'RRULE:FREQ=YEARLY'];
  expect(spansOf([yearly])).toEqual(['2026-08-01T00:00 2026-11-01T00:00', '2027-08-01T00:00 2027-11-01T00:00']);
});

test('an event without a length makes no freeze', () => {
  expect(spansOf([['DTSTART:20261223T080000Z'], ['DTSTART:20261223T080000Z', 'DTEND:20261223T080000Z']])).toEqual([]);
});

test('an endless rule is expanded for 400 days', () => {
  const spans = spansOf([['DTSTART:19700101T000000Z', 'DURATION:PT1H', 'RRULE:FREQ=DAILY']]);
  expect(spans).toHaveLength(400);
  expect([spans[0], spans.at(-1)]).toEqual(['2026-10-02T00:00 2026-10-02T01:00', '2027-11-05T00:00 2027-11-05T01:00']);
});

test('only the earliest 1,000 instances of a calendar count, and the result says that there are more', () => {
  const event = (count: number) => [
    ...['DTSTART:20261002T000000Z', 'DURATION:PT1H', `RRULE:FREQ=DAILY;BYHOUR=0,6,12,18;COUNT=${count}`],
  ];
  const [exact, more] = [1000, 1001].map((count) => freezesIn(calendarText([event(count)])));
  expect([exact?.items.length, exact?.hasMore]).toEqual([1000, false]);
  expect([more?.items, more?.hasMore]).toEqual([exact?.items, true]);
  const late = ['UID:z', 'DTSTART:20261001T130000Z', 'DURATION:PT1H'];
  const { items } = freezesIn(calendarText([event(1000), late]));
  expect([items[0]?.uid, items.length]).toEqual(['z', 1000]);
});

test('only the first 1,000 instances of a rule that recurs every minute count', () => {
  const all = (count: number) => Array.from({ length: count }, (_, index) => index).join();
  const rule = `RRULE:FREQ=DAILY;BYHOUR=${all(24)};BYMINUTE=${all(60)}`;
  const { items, hasMore } = freezesIn(calendarText([['DTSTART:20200101T000000Z', 'DURATION:PT1M', rule]]));
  expect([items.length, hasMore]).toEqual([1000, true]);
  expect(items.at(-1)?.startMs).toBe(Date.UTC(2026, 9, 1, 12) + 999 * 60_000);
});

test('lines may end in LF or CRLF and be folded, even within a character', () => {
  const text = calendarText([['DTSTART:20261223T080000Z', 'DURATION:PT1H', 'SUMMARY:Kälte\\n und Frost']]);
  const bytes = Buffer.from(text);
  const at = bytes.indexOf('ä') + 1;
  const folded = (fold: string) => Buffer.concat([bytes.subarray(0, at), Buffer.from(fold), bytes.subarray(at)]);
  for (const file of [bytes, folded('\r\n '), folded('\n\t'), Buffer.from(text.replaceAll('\r\n', '\n'))]) {
    expect(freezesIn(file).items.map(({ summary }) => summary)).toEqual(['Kälte und Frost']);
  }
  expect(freezesIn(`\ufeff${text}\r\n\r\n`).items).toHaveLength(1);
});

test('alarms in an event and definitions of time zones are ignored', () => {
  const zone = ['BEGIN:VTIMEZONE', 'TZID:X', 'BEGIN:STANDARD', 'DTSTART:16010101T000000', 'RRULE:FREQ=SECONDLY'];
  const alarm = ['BEGIN:VALARM', 'DTSTART:20261223T090000Z', 'DURATION:PT15M', 'END:VALARM'];
  const event = [...alarm, `${berlin}20261223T080000`, 'DTEND;TZID="Europe/Berlin":20261223T100000'];
  expect(spansOf([event], [...zone, 'END:STANDARD', 'END:VTIMEZONE'])).toEqual(['2026-12-23T07:00 2026-12-23T09:00']);
});

test('a calendar without events is empty', () => {
  expect(freezesIn(calendarText([]))).toEqual({ items: [], hasMore: false });
});

test.each<[string, string[], string]>([
  ['a frequency below a day', ['DTSTART:20261223T080000Z', 'RRULE:FREQ=HOURLY'], 'repeats HOURLY; use DAILY, WEEKLY'],
  ['an unknown zone', ['DTSTART;TZID=Mars/Base:20261223T080000'], 'has the unknown time zone "Mars/Base"; use an IANA'],
  ['an event without a start', ['SUMMARY:x'], 'has no DTSTART'],
  ['a date that does not exist', ['DTSTART;VALUE=DATE:20270230'], 'has an invalid DTSTART'],
  ['an end before the start', ['DTSTART:20261223T080000Z', 'DTEND:20261223T070000Z'], 'ends before it begins'],
  ['a date and a time', ['DTSTART;VALUE=DATE:20261223', 'DTEND:20261224T080000Z'], 'mixes a date and a time'],
  ['a negative duration', ['DTSTART:20261223T080000Z', 'DURATION:-PT1H'], 'has an invalid DURATION'],
  [
    'an unknown part of a rule',
    ['DTSTART:20261223T080000Z', 'RRULE:FREQ=DAILY;SKIP=OMIT'],
    'has the unknown part SKIP',
  ],
  ['COUNT and UNTIL', ['DTSTART:20261223T080000Z', 'RRULE:FREQ=DAILY;COUNT=1;UNTIL=20270101'], 'has COUNT and UNTIL'],
  ['BYMONTH=13', ['DTSTART:20261223T080000Z', 'RRULE:FREQ=DAILY;BYMONTH=13'], 'has an invalid BYMONTH'],
  ['an EXRULE', ['DTSTART:20261223T080000Z', 'EXRULE:FREQ=DAILY'], 'has an EXRULE'],
  ['a long UID', [`UID:${'u'.repeat(276)}`, 'DTSTART:20261223T080000Z'], 'has a UID of more than 275 characters'],
])('%s is refused', (_, event, clause) => {
  expect(faultOf(calendarText([['DTSTART:20261223T080000Z'], event]))).toContain(`the event in line 7 ${clause}`);
});

test('an instance of more than 400 days is refused, unless it is over', () => {
  const event = (start: string, end: string) => [
    ...[`DTSTART;VALUE=DATE:${start}`, `DTEND;VALUE=DATE:${end}`, 'SUMMARY:Long'],
  ];
  expect(faultOf(calendarText([event('20261101', '20271207')]))).toContain('"Long" lasts more than 400 days');
  expect(spansOf([event('20261101', '20271206')])).toHaveLength(1);
  expect(spansOf([event('20200101', '20260901')])).toEqual([]);
});

test.each([
  ['', 'the file is empty'],
  ['<html><body>Sign in</body></html>', 'line 1 is not iCalendar'],
  ['BEGIN:VCALENDAR\nnonsense\nEND:VCALENDAR', 'line 2 is not iCalendar'],
  ['BEGIN:VCALENDAR\nBEGIN:VEVENT\nEND:VCALENDAR', 'line 3 is not iCalendar'],
  ['BEGIN:VEVENT\nEND:VEVENT', 'line 1 is not iCalendar'],
  ['BEGIN:VCALENDAR\nBEGIN:VEVENT\nEND:VEVENT\n', 'the file is cut off: END:VCALENDAR is missing'],
  ['BEGIN:VCALENDAR\nX-WR-TIMEZONE:Mars\nEND:VCALENDAR', 'it has the unknown time zone "Mars"'],
  [Buffer.from('BEGIN:VCALENDAR\nX-A:\xff\nEND:VCALENDAR', 'latin1'), 'line 2 is not UTF-8'],
])('garbage is refused: %s', (text, sentence) => {
  expect(faultOf(text)).toContain(sentence);
});

test.each(['FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30', 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30;COUNT=999999999'])(
  'the expansion of a rule that never matches ends: %s',
  (rule) => {
    const event = ['DTSTART:00010101T000000Z', 'DURATION:PT1H', `RRULE:${rule}`];
    const fault = faultOf(calendarText([event]));
    expect(['none', 'its rules take too long to expand; simplify them or split the calendar']).toContain(fault);
  },
);
