import { type Client, pagesOf } from '@shiplog/client';
import { type DeploymentEvent, type DeploymentEventPage, headerNames, limits } from '@shiplog/contract';
import { TextSpool } from './text-spool.ts';

export type ListQuery = NonNullable<NonNullable<Parameters<Client['listDeployments']>[0]>['query']>;

/** A page of events, and the log position at which the page was read (`undefined` while the log is empty). */
export interface ListedPage extends DeploymentEventPage {
  readonly position: string | undefined;
}

/** Returns pages of events, newest first. A page has 500 events unless the query sets a limit. */
export function listedPages(client: Client, query: ListQuery, signal: AbortSignal): AsyncGenerator<ListedPage> {
  return pagesOf(async (cursor) => {
    const page = { limit: limits.pageSizeMax, ...query, cursor };
    const { body, headers } = await client.listDeployments({ query: page, signal });
    return { ...body, position: headers.get(headerNames.streamPosition) ?? undefined };
  });
}

/**
 * Yields events ordered by (`happened_at`, `id`). The service lists the newest first, so the events are written to disk
 * and read backwards. Each event takes eight bytes of memory.
 */
export async function* oldestFirst(pages: AsyncIterable<DeploymentEventPage>): AsyncGenerator<DeploymentEvent> {
  const spool = await TextSpool.open();
  try {
    for await (const { items } of pages) for (const event of items) await spool.add(JSON.stringify(event));
    for (let at = spool.size - 1; at >= 0; at -= 1) yield JSON.parse(await spool.at(at));
  } finally {
    await spool.close();
  }
}
