import { expect, test } from 'vitest';
import { spansOf } from './support/calendar.ts';

/** The days on which an event's instances begin; the first one always counts (RFC 5545 §3.8.5.3). */
function daysOf(rule: string, start = '20261001'): string[] {
  const event = [`DTSTART:${start}T130000Z`, 'DURATION:PT1H', `RRULE:${rule}`];
  return spansOf([event]).map((span) => span.slice(0, 10));
}

test.each<[string, string[]]>([
  ['FREQ=DAILY;INTERVAL=10;COUNT=3', ['2026-10-01', '2026-10-11', '2026-10-21']],
  ['FREQ=DAILY;BYDAY=SA;UNTIL=20261011', ['2026-10-01', '2026-10-03', '2026-10-10']],
  ['FREQ=WEEKLY;INTERVAL=2;COUNT=3', ['2026-10-01', '2026-10-15', '2026-10-29']],
  ['FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,SU;COUNT=4', ['2026-10-01', '2026-10-04', '2026-10-13', '2026-10-18']],
  ['FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,SU;WKST=SU;COUNT=4', ['2026-10-01', '2026-10-11', '2026-10-13', '2026-10-25']],
  ['FREQ=MONTHLY;COUNT=3', ['2026-10-01', '2026-11-01', '2026-12-01']],
  ['FREQ=MONTHLY;BYMONTHDAY=31;COUNT=3', ['2026-10-01', '2026-10-31', '2026-12-31']],
  ['FREQ=MONTHLY;BYMONTHDAY=-1;COUNT=3', ['2026-10-01', '2026-10-31', '2026-11-30']],
  ['FREQ=MONTHLY;BYDAY=2FR;COUNT=3', ['2026-10-01', '2026-10-09', '2026-11-13']],
  ['FREQ=MONTHLY;BYDAY=-1SU;COUNT=3', ['2026-10-01', '2026-10-25', '2026-11-29']],
  ['FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13;COUNT=2', ['2026-10-01', '2026-11-13']],
  ['FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;COUNT=3', ['2026-10-01', '2026-10-30', '2026-11-30']],
  ['FREQ=YEARLY;COUNT=2', ['2026-10-01', '2027-10-01']],
  ['FREQ=YEARLY;BYMONTH=12;COUNT=2', ['2026-10-01', '2026-12-01']],
  ['FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=24,31;COUNT=3', ['2026-10-01', '2026-12-24', '2026-12-31']],
  ['FREQ=YEARLY;BYMONTH=11;BYDAY=4TH;COUNT=2', ['2026-10-01', '2026-11-26']],
  ['FREQ=YEARLY;BYDAY=20MO;COUNT=2', ['2026-10-01', '2027-05-17']],
  ['FREQ=YEARLY;BYDAY=-1FR;COUNT=2', ['2026-10-01', '2026-12-25']],
  ['FREQ=YEARLY;BYWEEKNO=53;COUNT=3', ['2026-10-01', '2026-12-31']],
  ['FREQ=YEARLY;BYWEEKNO=-1;BYDAY=MO;COUNT=2', ['2026-10-01', '2026-12-28']],
  ['FREQ=YEARLY;BYYEARDAY=-1,1;COUNT=3', ['2026-10-01', '2026-12-31', '2027-01-01']],
])('%s', (rule, days) => {
  expect(daysOf(rule)).toEqual(days);
});

test('29 February recurs in leap years only', () => {
  expect(daysOf('FREQ=YEARLY', '20240229')).toEqual([]);
  expect(daysOf('FREQ=MONTHLY;COUNT=100', '20240131').slice(0, 2)).toEqual(['2026-10-31', '2026-12-31']);
});

test.each([
  ['FREQ=DAILY;INTERVAL=7', '20100107'],
  ['FREQ=WEEKLY;INTERVAL=3;BYDAY=MO,WE', '20100107'],
  ['FREQ=MONTHLY;INTERVAL=5;BYDAY=1MO', '20100107'],
  ['FREQ=YEARLY;INTERVAL=4;BYMONTH=1,12', '20100107'],
  ['FREQ=YEARLY;BYWEEKNO=1;BYDAY=MO', '20100107'],
])('with and without a large COUNT, %s has the same instances', (rule, start) => {
  const days = daysOf(rule, start);
  expect(days.length).toBeGreaterThan(0);
  expect(daysOf(`${rule};COUNT=100000`, start)).toEqual(days);
});

test('UNTIL counts as an instant, as a wall clock or as a whole day', () => {
  const spans = (until: string) =>
    spansOf([['DTSTART;TZID=Europe/Berlin:20261019T090000', 'DURATION:PT1H', `RRULE:FREQ=DAILY;UNTIL=${until}`]]);
  expect(spans('20261021T070000Z')).toHaveLength(3);
  expect(spans('20261021T065959Z')).toHaveLength(2);
  expect(spans('20261021T090000')).toHaveLength(3);
  expect(spans('20261021')).toHaveLength(3);
});
