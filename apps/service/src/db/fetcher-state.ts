import type { FetcherState } from '@shiplog/contract';
import type { Queries } from './database.ts';

export async function readFetcherState(queries: Queries, adapter: string): Promise<FetcherState | undefined> {
  const [state] = await queries.query<FetcherState>({
    name: 'read-fetcher-state',
    text: `
      select adapter, cursor, to_char(updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as updated_at
      from fetcher_states where adapter = $1`,
    values: [adapter],
  });
  return state;
}

/** The last write wins (§4 Fetcher state). */
export async function writeFetcherState(queries: Queries, state: { adapter: string; cursor: string }): Promise<void> {
  await queries.query({
    name: 'write-fetcher-state',
    text: `
      insert into fetcher_states (adapter, cursor, updated_at) values ($1, $2, clock_timestamp())
      on conflict (adapter) do update set cursor = excluded.cursor, updated_at = excluded.updated_at`,
    values: [state.adapter, state.cursor],
  });
}
