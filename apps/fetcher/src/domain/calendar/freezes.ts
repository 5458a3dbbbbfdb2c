import { byCodePoint } from '@shiplog/contract';
import { type CalendarEvent, readEvent } from './calendar-event.ts';
import { CalendarBudget, CalendarFault } from './calendar-fault.ts';
import { readCalendar } from './calendar-file.ts';
import { dayMs } from './civil.ts';
import { type CalendarTime, type Duration, endOf, requiredZone } from './event-times.ts';
import { instancesOf, type WallWindow } from './recurrence.ts';
import { Zone } from './zone.ts';

/** One instance of an event; instants in milliseconds. */
export interface Freeze {
  readonly uid: string;
  readonly startMs: number;
  /** Exclusive. */
  readonly endMs: number;
  readonly summary: string;
}

export interface Freezes {
  /** By start, then uid; at most 1,000. */
  readonly items: readonly Freeze[];
  /** Whether the calendar has more instances, which are ignored. */
  readonly hasMore: boolean;
}

/** How far ahead a calendar is read, and its maximum number of instances and bytes (holds.md 3). */
export const calendarLimits = { daysAhead: 400, instances: 1000, bytes: 1024 * 1024 } as const;

const aheadMs = calendarLimits.daysAhead * dayMs;
/** How much of the budget one instance uses, because converting its times is slow. */
const instanceSteps = 50;

export interface CalendarQuestion {
  /** The zone of a calendar that doesn't name its own; UTC by default. */
  readonly zone: string | undefined;
  readonly nowMs: number;
}

/**
 * A calendar's freezes from now on: the instances that are not over and begin within 400 days (holds.md 3, 6.13).
 * @throws CalendarFault if the calendar is invalid
 */
export function freezesOf(bytes: Uint8Array, { zone: otherZone, nowMs }: CalendarQuestion): Freezes {
  const calendar = readCalendar(bytes);
  const zone = requiredZoneOf(calendar.zone ?? otherZone);
  const budget = new CalendarBudget();
  const found = new Map<string, Freeze>();
  for (const { event, replaced } of seriesOf(calendar.events.map((raw) => readEvent(raw, zone)))) {
    for (const freeze of instancesIn(event, replaced, { nowMs, budget })) {
      const key = sourceIdOf(freeze);
      const other = found.get(key);
      // Of two instances with the same start, the longer one includes the other.
      if (!other || other.endMs < freeze.endMs) found.set(key, freeze);
    }
  }
  const all = [...found.values()].sort((one, other) => one.startMs - other.startMs || byCodePoint(one.uid, other.uid));
  return { items: all.slice(0, calendarLimits.instances), hasMore: all.length > calendarLimits.instances };
}

/** The `source_id` of a freeze: the event and the instance's start in UTC (holds.md 6.13). */
export function sourceIdOf({ uid, startMs }: Pick<Freeze, 'uid' | 'startMs'>): string {
  return `${uid}/${new Date(startMs).toISOString().replace('.000Z', 'Z')}`;
}

function requiredZoneOf(name: string | undefined): Zone {
  if (name === undefined) return Zone.utc;
  try {
    return requiredZone(name);
  } catch (error) {
    throw error instanceof CalendarFault ? new CalendarFault(`it ${error.message}`) : error;
  }
}

interface Series {
  readonly event: CalendarEvent;
  /** The starts of instances that other events replace. */
  readonly replaced: readonly CalendarTime[];
}

/** Each event with its replaced instances. Of several versions, the last one with the highest SEQUENCE counts. */
function seriesOf(events: readonly CalendarEvent[]): Series[] {
  const latest = new Map<string, CalendarEvent>();
  for (const event of events) {
    const key = JSON.stringify([event.uid, event.replaces && instantOf(event.replaces)]);
    if ((latest.get(key)?.sequence ?? 0) <= event.sequence) latest.set(key, event);
  }
  const replaced = new Map<string, CalendarTime[]>();
  for (const { uid, replaces } of latest.values()) {
    if (!replaces) continue;
    const ofEvent = replaced.get(uid) ?? [];
    ofEvent.push(replaces);
    replaced.set(uid, ofEvent);
  }
  return [...latest.values()]
    .filter(({ isCancelled }) => !isCancelled)
    .map((event) => ({ event, replaced: event.replaces ? [] : (replaced.get(event.uid) ?? []) }));
}

function instantOf({ wallMs, zone }: CalendarTime): number {
  return zone.instantOf(wallMs);
}

interface Window {
  readonly nowMs: number;
  readonly budget: CalendarBudget;
}

/**
 * The instances of an event that are not over. A rule yields its instances in order, so it can stop after one more than
 * the limit.
 */
function* instancesIn(event: CalendarEvent, replaced: readonly CalendarTime[], window: Window): Generator<Freeze> {
  const walls = wallsOf(event.duration, window);
  const isLeftOut = leftOut([...event.exceptions, ...replaced], event.start.zone, walls);
  for (const starts of startsOf(event, walls, window.budget)) {
    let left: number = calendarLimits.instances + 1;
    for (const start of starts) {
      const freeze = freezeAt(start, event, isLeftOut, window);
      if (!freeze) continue;
      yield freeze;
      left -= 1;
      if (left === 0) break;
    }
  }
}

function freezeAt(
  { wallMs, duration, zone }: Begin,
  { uid, summary }: CalendarEvent,
  isLeftOut: (wallMs: number, zone: Zone) => boolean,
  { nowMs, budget }: Window,
): Freeze | undefined {
  // Zones are within a day of UTC, so this saves most conversions.
  if (wallMs - dayMs > nowMs + aheadMs || wallMs + durationMs(duration) + dayMs <= nowMs) return undefined;
  budget.spend(instanceSteps);
  if (isLeftOut(wallMs, zone)) return undefined;
  const [startMs, endMs] = [zone.instantOf(wallMs), endOf(wallMs, duration, zone)];
  if (endMs <= nowMs || startMs >= nowMs + aheadMs || endMs <= startMs) return undefined;
  if (endMs - startMs > aheadMs)
    throw new CalendarFault(`the event ${JSON.stringify(summary || uid)} lasts more than 400 days; shorten it`);
  return { uid, startMs, endMs, summary };
}

function durationMs({ days, ms }: Duration): number {
  return days * dayMs + ms;
}

interface Begin {
  readonly wallMs: number;
  readonly duration: Duration;
  readonly zone: Zone;
}

/** The wall clock times at which an instance may begin. Two days on each side cover the difference between zones. */
function wallsOf(duration: Duration, { nowMs }: Window): WallWindow {
  return { fromMs: nowMs - durationMs(duration) - 2 * dayMs, toMs: nowMs + aheadMs + 2 * dayMs };
}

/** The starts of the instances, by their origin; those of a rule only within the window and in order. */
function startsOf(
  { start: { zone, wallMs: startMs }, duration, rules, extras }: CalendarEvent,
  walls: WallWindow,
  budget: CalendarBudget,
): Iterable<Begin>[] {
  const ofRule = function* ({ rule, untilMs }: CalendarEvent['rules'][number]): Generator<Begin> {
    for (const wallMs of instancesOf({ rule, startMs, untilMs, budget }, walls)) yield { wallMs, duration, zone };
  };
  // RDATE values may be in any order, so each one is a separate origin.
  const ofExtra = ({ start: extra, duration: own = duration }: CalendarEvent['extras'][number]): Begin[] => [
    { wallMs: extra.wallMs, duration: own, zone: extra.isDate ? zone : extra.zone },
  ];
  return [
    ...(rules.length === 0 ? [[{ wallMs: startMs, duration, zone }]] : rules.map(ofRule)),
    ...extras.map(ofExtra),
  ];
}

/** Whether an instance is excluded: by its start, or by the date of its start if a date is given. */
function leftOut(
  times: readonly CalendarTime[],
  own: Zone,
  { fromMs, toMs }: WallWindow,
): (wallMs: number, zone: Zone) => boolean {
  const near = times.filter(({ wallMs }) => wallMs >= fromMs - 2 * dayMs && wallMs <= toMs + 2 * dayMs);
  if (near.length === 0) return () => false;
  const dates = new Set(near.filter(({ isDate }) => isDate).map(({ wallMs }) => wallMs));
  const instants = new Set(near.filter(({ isDate }) => !isDate).map(instantOf));
  const dateOf = (wallMs: number) => Math.floor(wallMs / dayMs) * dayMs;
  return (wallMs, zone) =>
    dates.has(dateOf(zone === own ? wallMs : own.wallOf(zone.instantOf(wallMs)))) ||
    instants.has(zone.instantOf(wallMs));
}
