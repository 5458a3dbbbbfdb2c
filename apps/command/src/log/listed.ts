import type { Client } from '@shiplog/client';
import { type DeploymentEvent, type DeploymentEventPage, headerNames, limits } from '@shiplog/contract';
import { TextSpool } from './text-spool.ts';

export type ListQuery = NonNullable<NonNullable<Parameters<Client['listDeployments']>[0]>['query']>;

/** One page of the listing, with the position of the log that it was read at; none while the log is empty. */
export interface ListedPage extends DeploymentEventPage {
  readonly position: string | undefined;
}

/** The pages of the listing, newest first, 500 events each unless the query says otherwise. */
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
 * The events of some pages from the last to the first, so by (`happened_at`, `id`). The service lists the newest first,
 * so they are put on disk and read backwards; in memory are eight bytes for each.
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
