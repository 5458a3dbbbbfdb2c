import { headerNames, limits, parseId, parseInstant } from '@shiplog/contract';
import { conditionalJson, listed, Problem, pageOf, parsedCursor } from '@shiplog/server';
import type { Access } from '../access/access.ts';
import { getDeployment, listDeployments } from '../db/deployments.ts';
import { listEnvironments, listServices } from '../db/discovery.ts';
import { type PageKey, pageCursor, pageKey, parsePageCursor } from '../domain/page-cursor.ts';
import type { CoreApi } from './api.ts';
import type { ScopeSources } from './scope.ts';

/** Listing, lookup and discovery (§4 Read), and the catalog (questions.md 11.2). */
export function addReads(api: CoreApi, { queries, catalog }: ScopeSources, access: Access): void {
  api.serve('listDeployments', async ({ query, request }) => {
    const { service, environment, status, deployment_id: deploymentId, since, until, cursor, limit } = query;
    const filter = { service, environment, status, deploymentId, since: instant(since), until: instant(until) };
    const list = (after: PageKey | undefined, size: number) => listDeployments(queries, filter, { after, size });
    const asked = { after: parsedCursor(cursor, parsePageCursor), size: limit ?? limits.pageSizeDefault };
    const sender = access.guard.readerOf(request);
    const isWhole = !sender || sender.may.read;
    const page = isWhole
      ? await list(asked.after, asked.size)
      : await pageWithin(list, asked, (events) => access.posts.within(sender, events));
    return pageOf(page.events, page.next && pageCursor(page.next), position(page.position));
  });

  api.serve('getDeployment', async ({ params }) => {
    const id = parseId(params.id);
    const event = id && (await getDeployment(queries, id));
    if (!event) throw new Problem('not-found', { detail: 'No deployment event has this id.' });
    return { status: 200, json: event };
  });

  api.serve('listServices', async () => listed({ items: await listServices(queries) }));
  api.serve('listEnvironments', async () => listed({ items: await listEnvironments(queries) }));

  api.serve('getCatalog', async ({ headers }) => {
    const services = await listServices(queries);
    const { current } = catalog;
    const items = services.map((service) => current.itemOf(service));
    return conditionalJson(headers, { items, presets: current.presets });
  });
}

/** The header with which a client continues from a snapshot to the stream (reading 3.9). */
export function position(id: string | undefined): Record<string, string> {
  return id === undefined ? {} : { [headerNames.streamPosition]: id };
}

/** A page of the events that a sender may see. Others count neither for its size nor for its cursor (access.md 9.9). */
async function pageWithin(
  list: (after: PageKey | undefined, size: number) => ReturnType<typeof listDeployments>,
  { after, size }: { readonly after: PageKey | undefined; readonly size: number },
  within: (events: readonly string[]) => string[],
): ReturnType<typeof listDeployments> {
  const found: string[] = [];
  let page: Awaited<ReturnType<typeof listDeployments>> | undefined;
  let end: string | undefined;
  do {
    page = await list(page ? page.next : after, limits.pageSizeMax);
    end ??= page.position;
    found.push(...within(page.events));
  } while (page.next && found.length <= size);
  const events = found.slice(0, size);
  return { events, next: found.length > size ? keyOf(events.at(-1) ?? '{}') : undefined, position: end };
}

function keyOf(event: string): PageKey {
  const { id, happened_at } = JSON.parse(event) as { id: string; happened_at: string };
  return pageKey(happened_at, id);
}

function instant(text: string | undefined): string | undefined {
  return text === undefined ? undefined : parseInstant(text);
}
