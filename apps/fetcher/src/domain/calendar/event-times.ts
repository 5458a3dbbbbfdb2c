import { CalendarFault } from './calendar-fault.ts';
import { dayMs, realDay } from './civil.ts';
import type { ContentLine } from './content-line.ts';
import { Zone } from './zone.ts';

/** A date, or a time on the wall clock of its zone. */
export interface CalendarTime {
  readonly wallMs: number;
  readonly zone: Zone;
  readonly isDate: boolean;
}

const timePattern = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)(Z)?)?$/;

/** @param zone the calendar's; it applies to dates and to times without a zone. @throws CalendarFault */
export function parseTime(line: Pick<ContentLine, 'params' | 'name'>, value: string, zone: Zone): CalendarTime {
  const found = timePattern.exec(value.trim().toUpperCase());
  const [year = 0, month = 0, ofMonth = 0, hour = 0, minute = 0, second = 0] = (found?.slice(1, 7) ?? []).map((part) =>
    Number(part ?? 0),
  );
  const day = realDay({ year, month, day: ofMonth });
  if (!found || day === undefined || hour > 23 || minute > 59 || second > 60)
    throw new CalendarFault(`has an invalid ${line.name}`);
  const isDate = found[4] === undefined;
  // A leap second counts as the last second of its minute.
  const wallMs = day * dayMs + ((hour * 60 + minute) * 60 + Math.min(second, 59)) * 1000;
  if (isDate) return { wallMs, zone, isDate };
  return { wallMs, zone: found[7] === undefined ? zoneOf(line, zone) : Zone.utc, isDate };
}

function zoneOf({ params }: Pick<ContentLine, 'params'>, zone: Zone): Zone {
  const name = params.get('TZID');
  return name === undefined ? zone : requiredZone(name);
}

const known = new Map<string, Zone>();
const knownMax = 1000;

/** @throws CalendarFault for a zone that the runtime doesn't know. */
export function requiredZone(name: string): Zone {
  const zone = known.get(name) ?? Zone.named(name) ?? Zone.named(lastSegments(name));
  if (!zone)
    throw new CalendarFault(`has the unknown time zone ${JSON.stringify(name.slice(0, 64))}; use an IANA name`);
  if (known.size < knownMax) known.set(name, zone);
  return zone;
}

/** Some programs write a globally unique name, such as `/mozilla.org/20050126_1/Europe/Berlin` (RFC 5545 §3.2.19). */
function lastSegments(name: string): string {
  return name.startsWith('/') ? (/[^/]+\/[^/]+$/.exec(name)?.[0] ?? name) : name;
}

/** How long an instance lasts: days on the wall clock, then milliseconds on the wall clock or in real time. */
export interface Duration {
  readonly days: number;
  readonly ms: number;
  readonly isReal: boolean;
}

const durationPattern = /^([+-])?P(?:(\d{1,6})W|(?:(\d{1,6})D)?(?:T(?:(\d{1,8})H)?(?:(\d{1,8})M)?(?:(\d{1,9})S)?)?)$/;

/** @throws CalendarFault, including for a negative duration. */
export function parseDuration(value: string): Duration {
  const found = durationPattern.exec(value.trim().toUpperCase());
  if (!found || found[1] === '-' || !/\d/.test(value)) throw new CalendarFault('has an invalid DURATION');
  const [weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = found.slice(2).map((part) => Number(part ?? 0));
  return { days: weeks * 7 + days, ms: ((hours * 60 + minutes) * 60 + seconds) * 1000, isReal: true };
}

/** The duration from a start to an end; within one zone it follows the wall clock. @throws CalendarFault */
export function durationBetween(start: CalendarTime, end: CalendarTime): Duration {
  if (start.isDate !== end.isDate)
    throw new CalendarFault('mixes a date and a time in DTSTART and DTEND; use the same');
  const isSameClock = start.isDate || start.zone.name === end.zone.name;
  const ms = isSameClock
    ? end.wallMs - start.wallMs
    : end.zone.instantOf(end.wallMs) - start.zone.instantOf(start.wallMs);
  if (ms < 0) throw new CalendarFault('ends before it begins');
  // Programs that mean one day write the same date twice.
  if (start.isDate) return { days: Math.max(1, ms / dayMs), ms: 0, isReal: false };
  return { days: 0, ms, isReal: !isSameClock };
}

/** The instant at which an instance that begins at a wall clock time ends. */
export function endOf(wallMs: number, { days, ms, isReal }: Duration, zone: Zone): number {
  const wallEnd = wallMs + days * dayMs;
  return isReal ? zone.instantOf(wallEnd) + ms : zone.instantOf(wallEnd + ms);
}
