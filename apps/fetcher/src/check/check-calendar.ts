import { systemClock } from '@shiplog/client';
import { CalendarReader } from '../calendars/calendar-reader.ts';
import { excessOf, readFreezes } from '../calendars/calendar-sync.ts';
import type { CalendarEntry } from '../config/calendars.ts';
import { CalendarFault } from '../domain/calendar/calendar-fault.ts';
import { ToolAway } from '../tool/refusals.ts';
import type { CheckCalendar } from './check-report.ts';

/** Reads a calendar as the fetcher would. @throws the reason of the signal */
export async function checkCalendar(entry: CalendarEntry, signal: AbortSignal): Promise<CheckCalendar> {
  const unread = (problem: string): CheckCalendar => ({
    ...{ calendar: entry.name, freezes: null, first: null, last: null, problem },
  });
  try {
    const reader = new CalendarReader(entry.place);
    const found = await readFreezes({ reader, entry, clock: systemClock }, signal);
    const beginOf = (index: number) => {
      const freeze = found.items.at(index);
      return freeze ? new Date(freeze.startMs).toISOString() : null;
    };
    return {
      calendar: entry.name,
      freezes: found.items.length,
      first: beginOf(0),
      last: beginOf(-1),
      problem: excessOf(found) ?? null,
    };
  } catch (error) {
    if (error instanceof ToolAway) return unread(`The calendar can't be read: ${error.message}.`);
    if (error instanceof CalendarFault) return unread(`The calendar is invalid: ${error.message}.`);
    throw error;
  }
}
