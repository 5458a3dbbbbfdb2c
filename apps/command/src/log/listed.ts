import type { Client } from '@shiplog/client';
import { type DeploymentEvent, type DeploymentEventPage, headerNames, limits } from '@shiplog/contract';
import { TextSpool } from './text-spool.ts';

export type ListQuery = NonNullable<NonNullable<Parameters<Client['listDeployments']>[0]>['query']>;

/** A page of events, with the log position at which it was read; `undefined` while the log is empty. */
export interface ListedPage extends DeploymentEventPage {
  readonly position: string | undefined;
}

/** Pages of events, newest first, 500 each unless the query sets a limit. */
export async function* listedPages(
  client: Client,
  query: ListQuery,
  signal: AbortSignal,
): AsyncGenerator<ListedPage, void, undefined> {
  let cursor: string | undefined;
  do {
    const asked = { limit: limits.pageSizeMax, ...query, ...(cursor !== undefined && { cursor }) };
    const { body, headers } = await client.listDeployments({ query: asked, signal });
    yield { ...body, position: headers.get(headerNames.streamPosition) ?? undefined };
    cursor = body.next_cursor ?? undefined;
  } while (cursor !== undefined);
}

/**
 * The events in reverse order, so by (`happened_at`, `id`). The service lists the newest first, so they are written to
 * disk and read backwards; each takes eight bytes of memory.
 */
export async function* oldestFirst(
  pages: AsyncIterable<DeploymentEventPage>,
): AsyncGenerator<DeploymentEvent, void, undefined> {
  const spool = await TextSpool.open();
  try {
    for await (const { items } of pages) for (const event of items) await spool.add(JSON.stringify(event));
    for (let at = spool.size - 1; at >= 0; at -= 1) yield JSON.parse(await spool.at(at));
  } finally {
    await spool.close();
  }
}
