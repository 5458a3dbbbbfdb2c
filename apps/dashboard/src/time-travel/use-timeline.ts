import type { DeploymentEvent } from '@shiplog/contract';
import { pluralize } from '@shiplog/text';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { wantsEvent } from '../board/filter.ts';
import { instantKeyOf } from '../board/instant.ts';
import { type Address, home } from '../state/address.ts';
import type { Navigation } from '../state/navigation.ts';
import { endAll, useStore } from '../state/store.ts';
import { type Answer, useAnswer } from '../ui/answer.ts';
import { useAddress, useApp, usePast } from '../ui/app.ts';
import { nearestEvent, readSpan, type SpanEvents, spanEventsMax } from './span-events.ts';
import { type Direction, stepAmong, type Timeline, timelineFor } from './steps.ts';

/** The timeline of the page, and the events on it that match the filters of the view. */
export interface TimelineEvents {
  readonly timeline: Timeline;
  readonly wants: (event: DeploymentEvent) => boolean;
  readonly events: readonly DeploymentEvent[];
  /** The time from which events are known, in ms since the epoch; `undefined` = from the start of the timeline. */
  readonly cutAtMs: number | undefined;
  readonly answer: Answer<SpanEvents>;
}

const noEvents: readonly DeploymentEvent[] = [];

export function useTimeline(atMs: number | undefined): TimelineEvents {
  const { connection, ownership: store } = useApp();
  const { filter } = useAddress();
  const ownership = useStore(store);
  const presentMs = useStore(connection.now.present);
  const before = useRef<Timeline | undefined>(undefined);
  before.current = timelineFor(before.current, atMs, presentMs);
  const timeline = before.current;
  const answer = useAnswer((signal) => readSpan(connection.client, spanOf(timeline), signal), [timeline, useMissed()]);
  const arrived = useArrived();
  const wants = useMemo(() => (event: DeploymentEvent) => wantsEvent(filter, event, ownership), [filter, ownership]);
  const read = answer.kind === 'here' ? answer.value : undefined;
  const events = useMemo(() => merged(read?.events ?? noEvents, arrived).filter(wants), [read, arrived, wants]);
  const oldest = read?.isCut ? read.events.at(-1) : undefined;
  return { timeline, wants, events, cutAtMs: oldest && Date.parse(oldest.happened_at), answer };
}

function spanOf({ fromMs, untilMs }: Timeline) {
  return { since: new Date(fromMs).toISOString(), until: new Date(untilMs).toISOString() };
}

/** The newest events that have arrived since time travel was opened. */
function useArrived(): readonly DeploymentEvent[] {
  const { connection } = useApp();
  const [arrived, setArrived] = useState(noEvents);
  useEffect(
    () =>
      endAll(
        connection.onEvents((events) => setArrived((known) => [...known, ...events].slice(-spanEventsMax))),
        connection.onCleared(() => setArrived(noEvents)),
      ),
    [connection],
  );
  return arrived;
}

function useMissed(): number {
  const { connection } = useApp();
  const [count, setCount] = useState(0);
  useEffect(() => connection.onMissed(() => setCount((before) => before + 1)), [connection]);
  return count;
}

function merged(...parts: readonly (readonly DeploymentEvent[])[]): readonly DeploymentEvent[] {
  return [...new Map(parts.flat().map((event) => [event.id, event])).values()];
}

/** "64 events since.": the number of events after the shown time. */
export function useSince({ timeline, wants, events, cutAtMs }: TimelineEvents): string {
  const { connection } = useApp();
  const { filter } = useAddress();
  const shown = usePast();
  const reachesNow = timeline.untilMs >= connection.now.present.value;
  const older = useAnswer(
    async (signal) =>
      shown === undefined || reachesNow ? undefined : readSpan(connection.client, { since: shown }, signal),
    [shown, reachesNow, useMissed()],
  );
  if (shown === undefined || (!reachesNow && (older.kind !== 'here' || !older.value))) return '';
  const all = reachesNow ? events : merged(older.kind === 'here' ? (older.value?.events ?? []) : [], events);
  const isCut = reachesNow
    ? cutAtMs !== undefined && cutAtMs > Date.parse(shown)
    : older.kind === 'here' && older.value?.isCut === true;
  const key = instantKeyOf(shown);
  const count = all.filter((event) => instantKeyOf(event.happened_at) > key && wants(event)).length;
  const within = JSON.stringify(filter) === JSON.stringify(home.filter) ? '' : ' matching these filters';
  if (isCut) return `More than ${pluralize(count, 'event')} since${within}.`;
  return `${count === 0 ? 'No events' : pluralize(count, 'event')} since${within}.`;
}

export function requestedInstant({ asof }: Address): string | undefined {
  return asof === 'now' ? undefined : asof;
}

/** Goes to another time. The browser's Back button then returns directly to the current board. */
export function travelTo(navigation: Navigation, asof: string): void {
  navigation.go({ asof }, requestedInstant(navigation.address.value) === undefined ? 'push' : 'replace');
}

/** Moves from event to event and announces the latest move. */
export function useSteps({ events, timeline, cutAtMs, wants }: TimelineEvents) {
  const { navigation, connection } = useApp();
  const [message, setMessage] = useState<{ readonly of: string | undefined; readonly text: string }>();
  const { asof } = useAddress();
  const step = async (direction: Direction) => {
    const presentMs = connection.now.present.value;
    const from = requestedInstant(navigation.address.value);
    const known = stepAmong(events, from, direction);
    const isCovered = from === undefined || cutAtMs === undefined || Date.parse(from) >= cutAtMs;
    const reachesNow = timeline.untilMs >= presentMs;
    const isSure = direction === 'before' ? known !== undefined : isCovered && (known !== undefined || reachesNow);
    const start = from ?? new Date(presentMs).toISOString();
    const found = isSure ? known : await nearestEvent(connection.client, start, direction, wants, presentMs);
    if (requestedInstant(navigation.address.value) !== from) return;
    if (found !== undefined) travelTo(navigation, found);
    else setMessage({ of: navigation.address.value.asof, text: `No event ${direction} this time.` });
  };
  const ask = (direction: Direction) => {
    step(direction).catch(() => setMessage({ of: asof, text: "Can't read the log. Try again." }));
  };
  return { step: ask, message: message && message.of === asof ? message.text : undefined };
}
