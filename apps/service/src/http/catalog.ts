import { headerNames } from '@shiplog/contract';
import { conditionalAnswer } from '@shiplog/server';
import { listServices } from '../db/discovery.ts';
import type { CoreApi } from './api.ts';
import type { ScopeSources } from './scope.ts';

/** `GET /api/catalog` (questions.md 11.2). */
export function addCatalog(api: CoreApi, { queries, catalog }: ScopeSources): void {
  api.serve('getCatalog', async ({ headers }) => {
    const services = await listServices(queries);
    const { current } = catalog;
    const items = services.map((service) => current.itemOf(service));
    const json = JSON.stringify({ items, presets: current.presets });
    return conditionalAnswer(headers[headerNames.ifNoneMatch], { content: [json], json });
  });
}
