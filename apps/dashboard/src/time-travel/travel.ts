import { useState } from 'preact/hooks';
import type { Address } from '../state/address.ts';
import type { Navigation } from '../state/navigation.ts';
import { useAddress, useApp } from '../ui/app.ts';
import { nearestEvent } from './span-events.ts';
import { type Direction, stepAmong } from './steps.ts';
import type { TimelineEvents } from './use-timeline.ts';

/** The time that an address requests; `undefined` = now. */
export function requestedInstant({ asof }: Address): string | undefined {
  return asof === 'now' ? undefined : asof;
}

/** Goes to another time; the Back button leaves the past at once. */
export function travelTo(navigation: Navigation, asof: string): void {
  navigation.go({ asof }, requestedInstant(navigation.address.value) === undefined ? 'push' : 'replace');
}

/** Steps from event to event, with a message about the last step. */
export function useSteps({ events, timeline, cutAtMs, wants }: TimelineEvents) {
  const { navigation, connection } = useApp();
  const [said, setSaid] = useState<{ readonly of: string | undefined; readonly text: string }>();
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
    else setSaid({ of: navigation.address.value.asof, text: `No event ${direction} this time.` });
  };
  const ask = (direction: Direction) => {
    step(direction).catch(() => setSaid({ of: asof, text: "Can't read the log. Try again." }));
  };
  return { step: ask, said: said && said.of === asof ? said.text : undefined };
}
