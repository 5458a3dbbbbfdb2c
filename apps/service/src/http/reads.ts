import { headerNames, limits, parseId, parseInstant } from '@shiplog/contract';
import { conditionalAnswer, listed, Problem, pageOf, parsedCursor } from '@shiplog/server';
import { getDeployment, listDeployments } from '../db/deployments.ts';
import { listEnvironments, listServices } from '../db/discovery.ts';
import { pageCursor, parsePageCursor } from '../domain/page-cursor.ts';
import type { CoreApi } from './api.ts';
import type { ScopeSources } from './scope.ts';

/** Listing, lookup and discovery (§4 Read), and the catalog (questions.md 11.2). */
export function addReads(api: CoreApi, { queries, catalog }: ScopeSources): void {
  api.serve('listDeployments', async ({ query }) => {
    const { service, environment, status, deployment_id: deploymentId, since, until, cursor, limit } = query;
    const page = await listDeployments(
      queries,
      { service, environment, status, deploymentId, since: instant(since), until: instant(until) },
      { after: parsedCursor(cursor, parsePageCursor), size: limit ?? limits.pageSizeDefault },
    );
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
    const json = JSON.stringify({ items, presets: current.presets });
    return conditionalAnswer(headers[headerNames.ifNoneMatch], { content: [json], json });
  });
}

/** The header with which a client continues from a snapshot to the stream (reading 3.9). */
export function position(id: string | undefined): Record<string, string> {
  return id === undefined ? {} : { [headerNames.streamPosition]: id };
}

function instant(text: string | undefined): string | undefined {
  return text === undefined ? undefined : parseInstant(text);
}
