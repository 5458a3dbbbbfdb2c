import { momentary, Problem, requireFittingCursor } from '@shiplog/server';
import type { MockState } from '../state.ts';
import type { MockApi } from './api.ts';

/** The stored cursors of fetchers (companion services §4, reading 8.1). */
export function addFetcherState(api: MockApi, { fetcherStates, now }: MockState): void {
  api.serve('getFetcherState', async ({ params }) => {
    const state = fetcherStates.get(params.adapter);
    if (!state) throw new Problem('not-found', { detail: 'No cursor is stored for this adapter.' });
    return momentary(state);
  });

  api.serve('putFetcherState', async ({ params: { adapter }, body: { cursor } }) => {
    requireFittingCursor(cursor);
    fetcherStates.set(adapter, { adapter, cursor, updated_at: now().toISOString() });
    return { status: 204 };
  });
}
