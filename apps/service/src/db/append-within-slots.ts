import type { StoredEvent } from '@shiplog/contract';
import { appendDeployments, GateClosed, SlotsScarce } from './append-deployments.ts';
import type { Queries, Sessions } from './database.ts';
import { textArray } from './text-array.ts';

/** The event would open a slot, and the log has as many as it may have. */
export class NoSlotLeft extends Error {}

/**
 * Appends a batch; gives for each event its id, or why it alone was not stored. As long as there is room for as many
 * further slots as the batch has events, this is one statement. Otherwise the slots are looked up under the lock of the
 * log, so that all instances together keep the limit.
 * @throws GateClosed while a reset clears the log.
 */
export async function appendWithinSlots(
  appends: Sessions,
  batch: readonly StoredEvent[],
  slotsMax: number,
): Promise<(string | NoSlotLeft)[]> {
  try {
    return await appendDeployments(appends, batch, slotsMax);
  } catch (error) {
    if (!(error instanceof SlotsScarce)) throw error;
  }
  const appended = await appends.session((session) =>
    session.transaction(async (queries) => {
      const slots = await lockSlots(queries);
      if (slots === undefined) return undefined;
      const judged = withinRoom(batch, await knownSlots(queries, batch), slotsMax - slots);
      const fitting = judged.filter((event): event is StoredEvent => !(event instanceof NoSlotLeft));
      const ids = fitting.length > 0 ? await appendDeployments(queries, fitting) : [];
      return judged.map((event) => (event instanceof NoSlotLeft ? event : (ids.shift() ?? '')));
    }),
  );
  if (!appended) throw new GateClosed('a reset is clearing the log');
  return appended;
}

/** Takes the lock of the log; gives how many slots it has, `undefined` while a reset clears it. */
async function lockSlots(queries: Queries): Promise<number | undefined> {
  const [head] = await queries.query<{ slots: string | null }>({
    name: 'lock-slots',
    text: `
      select case when gate_until is null or gate_until <= clock_timestamp() then slots end as slots
      from log_heads where log = 'deployments' for update`,
  });
  return head && head.slots !== null ? Number(head.slots) : undefined;
}

interface Place {
  readonly service: string;
  readonly environment: string;
}

const keyOf = ({ service, environment }: Place) => JSON.stringify([service, environment]);

async function knownSlots(queries: Queries, places: readonly Place[]): Promise<Set<string>> {
  const known = await queries.query<Place>(
    {
      name: 'known-slots',
      text: `
        select distinct service, environment from slots
        join unnest($1::text[], $2::text[]) as asked (service, environment) using (service, environment)`,
    },
    [textArray(places.map(({ service }) => service)), textArray(places.map(({ environment }) => environment))],
  );
  return new Set(known.map(keyOf));
}

/** Refuses the events that would open a slot when `room` others were opened. */
function withinRoom(
  batch: readonly StoredEvent[],
  slots: Set<string>,
  room: number,
): readonly (StoredEvent | NoSlotLeft)[] {
  let left = room;
  return batch.map((event) => {
    const key = keyOf(event);
    if (slots.has(key)) return event;
    if (left <= 0) return new NoSlotLeft('the log has as many slots as it may have');
    left -= 1;
    slots.add(key);
    return event;
  });
}
