import { CallRefused, type Client, type Clock, pagesOf } from '@shiplog/client';
import { type Hold, limits } from '@shiplog/contract';
import { type CalendarEntry, holdSourceOf } from '../config/calendars.ts';
import { dayMs } from '../domain/calendar/civil.ts';
import { type Freezes, freezesOf } from '../domain/calendar/freezes.ts';
import { type HoldScope, holdOf, planHolds } from '../domain/calendar/hold-plan.ts';
import type { CalendarReader } from './calendar-reader.ts';

export interface CalendarSyncOptions {
  readonly entry: CalendarEntry;
  readonly reader: Pick<CalendarReader, 'read'>;
  readonly client: Pick<Client, 'listHolds' | 'makeHold' | 'releaseHold'>;
  readonly clock: Pick<Clock, 'now'>;
}

export interface SyncResult {
  /** How many of the calendar's freezes the service has. */
  readonly freezes: number;
  /** What went wrong, in a sentence; `undefined` if nothing did. */
  readonly lack: string | undefined;
}

const gone: readonly number[] = [404, 409];

/** Reads a calendar. @throws ToolAway, or CalendarFault if it is invalid */
export async function readFreezes(
  { reader, entry, clock }: Pick<CalendarSyncOptions, 'reader' | 'entry' | 'clock'>,
  signal: AbortSignal,
): Promise<Freezes> {
  return freezesOf(await reader.read(signal), { zone: entry.zone, nowMs: clock.now().getTime() });
}

/** A sentence if the calendar has too many instances; otherwise `undefined`. */
export function excessOf({ items, hasMore }: Freezes): string | undefined {
  return hasMore ? `The calendar has more than ${items.length} instances; only the earliest count.` : undefined;
}

/**
 * Makes a calendar's holds match its freezes. New holds are made before old ones are released, so that a change leaves
 * no gap. If a call is interrupted, the next one completes its work.
 *
 * @throws ToolAway or CalendarFault before any hold has changed; CallRefused, or the error of a request
 */
export async function syncCalendar(options: CalendarSyncOptions, signal: AbortSignal): Promise<SyncResult> {
  const { entry, client, clock } = options;
  const found = await readFreezes(options, signal);
  const { name, services, environments } = entry;
  const scope: HoldScope = { source: holdSourceOf(entry), services, environments, title: name };
  const plan = planHolds(found.items, await ownHolds(options, scope.source, signal), scope);
  let refused = 0;
  let reason: string | undefined;
  for (const freeze of plan.make) {
    const nowMs = clock.now().getTime();
    if (freeze.endMs <= nowMs) continue;
    try {
      await client.makeHold({ body: holdOf(freeze, scope, nowMs), signal });
    } catch (error) {
      // One freeze that the service rejects must not block the others.
      if (!(error instanceof CallRefused && error.status === 422)) throw error;
      refused += 1;
      reason ??= reasonOf(error);
    }
  }
  for (const { id } of plan.release) await release(client, id, signal);
  const sentence = refused === 0 ? undefined : `The service rejects freezes: ${reason}. Skipped: ${refused}.`;
  return { freezes: found.items.length - refused, lack: sentence ?? excessOf(found) };
}

/** The calendar's current and future holds. None begins later than a freeze can (holds.md 3). */
async function ownHolds({ client, clock }: CalendarSyncOptions, source: string, signal: AbortSignal): Promise<Hold[]> {
  const fromMs = clock.now().getTime();
  const period = {
    from: new Date(fromMs).toISOString(),
    to: new Date(fromMs + limits.periodDaysMax * dayMs).toISOString(),
  };
  const query = { ...period, source, limit: limits.pageSizeMax };
  const holds: Hold[] = [];
  const pages = pagesOf(async (cursor) => (await client.listHolds({ query: { ...query, cursor }, signal })).body);
  for await (const { items } of pages) holds.push(...items);
  return holds;
}

/** Releases a hold. Not an error if it is already released or over. */
async function release(client: CalendarSyncOptions['client'], id: string, signal: AbortSignal): Promise<void> {
  try {
    await client.releaseHold({ params: { id }, body: { reason: 'changed or removed in the calendar' }, signal });
  } catch (error) {
    if (!(error instanceof CallRefused && gone.includes(error.status))) throw error;
  }
}

function reasonOf({ problem, status }: CallRefused): string {
  const [first] = problem?.errors ?? [];
  return first ? `${first.pointer} ${first.message}` : `status ${status}`;
}
