import { type Client, createClient } from '@shiplog/client';
import type { DeploymentEvent, DeploymentEventIngest } from '@shiplog/contract';
import { testKeys } from './service.ts';

/** Long enough for a busy machine. The test timeout ends a test that hangs. */
const timeoutMs = 120_000;

/** A client for all endpoints of a program started by a test. */
export function clientOf(url: string): Client {
  return createClient({ baseUrl: url, keys: testKeys, timeoutMs });
}

/** Posts an event and returns the stored event. Throws if it was not stored. */
export async function postStored(url: string, event: DeploymentEventIngest): Promise<DeploymentEvent> {
  return (await clientOf(url).appendDeployment({ body: event })).body;
}

/** Reads all pages of a program's event list. Returns the events by id, newest first. */
export async function listedEvents(url: string): Promise<Map<string, DeploymentEvent>> {
  const events = new Map<string, DeploymentEvent>();
  let cursor: string | null | undefined;
  while (cursor !== null) {
    const { body } = await clientOf(url).listDeployments({ query: { limit: 500, ...(cursor && { cursor }) } });
    for (const event of body.items) events.set(event.id, event);
    cursor = body.next_cursor;
  }
  return events;
}
