import type { RawEvent } from './calendar-event.ts';
import { CalendarFault } from './calendar-fault.ts';
import { type ContentLine, contentLines } from './content-line.ts';

export interface RawCalendar {
  /** `X-WR-TIMEZONE`: the zone for dates and for times without a zone. */
  readonly zone: string | undefined;
  readonly events: readonly RawEvent[];
}

/**
 * The events of an iCalendar file (RFC 5545), which may contain several calendars. Time zone definitions are ignored,
 * because zones are looked up by name. @throws CalendarFault, including for a truncated file
 */
export function readCalendar(bytes: Uint8Array): RawCalendar {
  const open: string[] = [];
  const events: { line: number; lines: ContentLine[] }[] = [];
  let zone: string | undefined;
  let isEmpty = true;
  for (const line of contentLines(bytes)) {
    const component = line.value.trim().toUpperCase();
    if (line.name === 'BEGIN') {
      if ((open.length === 0) !== (component === 'VCALENDAR') || open.length >= depthMax) throw notCalendar(line);
      open.push(component);
      isEmpty = false;
      if (open.length === 2 && component === 'VEVENT') events.push({ line: line.line, lines: [] });
    } else if (line.name === 'END') {
      if (open.pop() !== component) throw notCalendar(line);
    } else if (open.length === 0) throw notCalendar(line);
    else if (open.length === 1 && line.name === 'X-WR-TIMEZONE') zone ??= line.value.trim() || undefined;
    else if (open.length === 2 && open[1] === 'VEVENT') events.at(-1)?.lines.push(line);
  }
  if (isEmpty) throw new CalendarFault('the file is empty');
  if (open.length > 0) throw new CalendarFault(`the file is cut off: END:${open.at(-1)} is missing`);
  return { zone, events };
}

const depthMax = 10;

function notCalendar({ line }: ContentLine): CalendarFault {
  return new CalendarFault(`line ${line} is not iCalendar`);
}
