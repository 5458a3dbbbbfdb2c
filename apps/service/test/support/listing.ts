import { createClient } from '@shiplog/client';
import type { DeploymentEvent } from '@shiplog/contract';

/** Every event that the service lists, page by page, by id. */
export async function listedEvents(url: string): Promise<Map<string, DeploymentEvent>> {
  const client = createClient({ baseUrl: url });
  const events = new Map<string, DeploymentEvent>();
  let cursor: string | null | undefined;
  while (cursor !== null) {
    const { body } = await client.listDeployments({ query: { limit: 500, ...(cursor && { cursor }) } });
    for (const event of body.items) events.set(event.id, event);
    cursor = body.next_cursor;
  }
  return events;
}
