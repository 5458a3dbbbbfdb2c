import { CalendarFault } from './calendar-fault.ts';
import { dayMs } from './civil.ts';
import { type ContentLine, plainText } from './content-line.ts';
import { type CalendarTime, type Duration, durationBetween, parseDuration, parseTime } from './event-times.ts';
import { parseRule, type Rule } from './rule.ts';
import type { Zone } from './zone.ts';

/** The lines of a VEVENT, without those of nested components. */
export interface RawEvent {
  /** The line number of its BEGIN. */
  readonly line: number;
  readonly lines: readonly ContentLine[];
}

export interface ExtraInstance {
  readonly start: CalendarTime;
  /** `undefined`: that of the event. */
  readonly duration: Duration | undefined;
}

/** A VEVENT, which may be a cancellation. */
export interface CalendarEvent {
  readonly uid: string;
  readonly summary: string;
  readonly start: CalendarTime;
  readonly duration: Duration;
  readonly isCancelled: boolean;
  readonly sequence: number;
  /** The start of the instance that it replaces. */
  readonly replaces: CalendarTime | undefined;
  readonly rules: readonly { readonly rule: Rule; readonly untilMs: number }[];
  readonly extras: readonly ExtraInstance[];
  readonly exceptions: readonly CalendarTime[];
}

/** So that the uid and an instant fit in a `source_id`. */
export const uidMax = 275;

/** @param zone the calendar's time zone. @throws CalendarFault with the line of the event */
export function readEvent({ line, lines }: RawEvent, zone: Zone): CalendarEvent {
  try {
    return eventOf(lines, zone);
  } catch (error) {
    if (error instanceof CalendarFault) throw new CalendarFault(`the event in line ${line} ${error.message}`);
    throw error;
  }
}

function eventOf(lines: readonly ContentLine[], zone: Zone): CalendarEvent {
  const all = (name: string) => lines.filter((line) => line.name === name);
  const [uidLine] = all('UID');
  const [startLine] = all('DTSTART');
  const uid = uidLine === undefined ? '' : plainText(uidLine.value);
  if (uid === '') throw new CalendarFault('has no UID');
  if ([...uid].length > uidMax) throw new CalendarFault(`has a UID of more than ${uidMax} characters`);
  if (!startLine) throw new CalendarFault('has no DTSTART');
  if (all('EXRULE').length > 0) throw new CalendarFault('has an EXRULE, which is obsolete; use EXDATE');
  const start = parseTime(startLine, startLine.value, zone);
  const [replaced] = all('RECURRENCE-ID');
  if (replaced?.params.has('RANGE')) throw new CalendarFault('replaces several instances; replace each one');
  const times = (name: string) =>
    all(name).flatMap((line) => valuesOf(line).map((text) => parseTime(line, text, zone)));
  return {
    uid,
    summary: plainText(all('SUMMARY')[0]?.value ?? ''),
    start,
    duration: durationOf(start, all('DTEND')[0], all('DURATION')[0], zone),
    isCancelled: all('STATUS')[0]?.value.trim().toUpperCase() === 'CANCELLED',
    sequence: Number(all('SEQUENCE')[0]?.value) || 0,
    replaces: replaced && parseTime(replaced, replaced.value, zone),
    rules: all('RRULE').map(({ value }) => ruleFrom(value, start, zone)),
    extras: all('RDATE').flatMap((line) => valuesOf(line).map((text) => parseExtra(line, text, zone))),
    exceptions: times('EXDATE'),
  };
}

function valuesOf({ value }: ContentLine): string[] {
  return value.split(',').filter((text) => text.trim() !== '');
}

function durationOf(
  start: CalendarTime,
  end: ContentLine | undefined,
  duration: ContentLine | undefined,
  zone: Zone,
): Duration {
  if (end) return durationBetween(start, parseTime(end, end.value, zone));
  if (!duration) return { days: start.isDate ? 1 : 0, ms: 0, isReal: false };
  const parsed = parseDuration(duration.value);
  if (start.isDate && parsed.ms > 0) throw new CalendarFault('has a start without a time but a DURATION with one');
  return parsed;
}

function ruleFrom(value: string, start: CalendarTime, zone: Zone): CalendarEvent['rules'][number] {
  const rule = parseRule(value);
  if (rule.until === undefined) return { rule, untilMs: Number.POSITIVE_INFINITY };
  const until = parseTime({ name: 'RRULE', params: new Map() }, rule.until, zone);
  // A date includes its whole day. An instant is converted to the event's wall clock.
  if (until.isDate) return { rule, untilMs: until.wallMs + dayMs - 1 };
  const isInstant = rule.until.endsWith('Z');
  return { rule, untilMs: isInstant ? start.zone.wallOf(until.wallMs) : until.wallMs };
}

/** A start, or a period: a start with an end or a duration. */
function parseExtra(line: ContentLine, text: string, zone: Zone): ExtraInstance {
  const [first = '', end] = text.split('/', 2);
  const start = parseTime(line, first, zone);
  if (end === undefined) return { start, duration: undefined };
  const isDuration = /^\s*[+-]?p/i.test(end);
  return { start, duration: isDuration ? parseDuration(end) : durationBetween(start, parseTime(line, end, zone)) };
}
