import { type Client, createClient } from '@shiplog/client';
import type { DeploymentEvent, DeploymentEventIngest } from '@shiplog/contract';
import { testKeys } from './service.ts';

/** However busy the machine is: a test that hangs ends by its own limit. */
const timeoutMs = 120_000;

/** Every call on a program that tests start. */
export function clientOf(url: string): Client {
  return createClient({ baseUrl: url, keys: testKeys, timeoutMs });
}

/** Posts an event, which has to be stored; gives it as it was stored. */
export async function postStored(url: string, event: DeploymentEventIngest): Promise<DeploymentEvent> {
  return (await clientOf(url).appendDeployment({ body: event })).body;
}

/** Every event that a program lists, page by page, newest first, by id. */
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
