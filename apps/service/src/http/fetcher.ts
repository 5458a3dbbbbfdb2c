import { momentary, Problem, requireFittingCursor } from '@shiplog/server';
import type { Queries } from '../db/database.ts';
import { readFetcherState, writeFetcherState } from '../db/fetcher-state.ts';
import type { CoreApi } from './api.ts';

/** The cursors that fetchers store (§4 Fetcher state, reading 8.1). */
export function addFetcherState(api: CoreApi, queries: Queries): void {
  api.serve('getFetcherState', async ({ params }) => {
    const state = await readFetcherState(queries, params.adapter);
    if (!state) throw new Problem('not-found', { detail: 'No cursor is stored for this adapter.' });
    return momentary(state);
  });

  api.serve('putFetcherState', async ({ params, body }) => {
    requireFittingCursor(body.cursor);
    await writeFetcherState(queries, { adapter: params.adapter, cursor: body.cursor });
    return { status: 204 };
  });
}
