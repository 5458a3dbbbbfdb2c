import { type Client, pagesOf } from '@shiplog/client';
import { type DeploymentEvent, type DeploymentEventPage, headerNames, limits } from '@shiplog/contract';
import { TextSpool } from './text-spool.ts';

export type ListQuery = NonNullable<NonNullable<Parameters<Client['listDeployments']>[0]>['query']>;

/** A page of events, with the log position at which it was read; `undefined` while the log is empty. */
export interface ListedPage extends DeploymentEventPage {
  readonly position: string | undefined;
}

/** Pages of events, newest first, 500 each unless the query sets a limit. */
export function listedPages(client: Client, query: ListQuery, signal: AbortSignal): AsyncGenerator<ListedPage> {
  return pagesOf(async (cursor) => {
    const page = { limit: limits.pageSizeMax, ...query, cursor };
    const { body, headers } = await client.listDeployments({ query: page, signal });
    return { ...body, position: headers.get(headerNames.streamPosition) ?? undefined };
  });
}

/**
 * The events ordered by (`happened_at`, `id`). The service lists the newest first, so they are written to disk and read
 * backwards; each takes eight bytes of memory.
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
