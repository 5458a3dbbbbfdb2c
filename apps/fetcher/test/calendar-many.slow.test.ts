import { sharedService } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { CalendarRun } from './support/calendar-run.ts';

const service = sharedService();

test('a calendar with more than 1,000 instances gets holds for the earliest ones, and the component reports an error', async () => {
  const run = await CalendarRun.open(await service());
  const hours = Array.from({ length: 24 }, (_, hour) => hour).join();
  run.shows([`DTSTART:${run.at(3)}`, 'DURATION:PT30M', `RRULE:FREQ=DAILY;BYHOUR=${hours};COUNT=1001`]);
  await run.start();
  expect(await run.health()).toMatchObject({
    status: 'error',
    calendars: [{ freezes: 1000, last_error: 'The calendar has more than 1000 instances; only the earliest count.' }],
  });
  const holds = await run.holds();
  expect(holds).toHaveLength(1000);
  await run.next();
  expect(await run.holds()).toEqual(holds);
});
