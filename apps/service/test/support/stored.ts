import type { DeploymentEvent } from '@shiplog/contract';
import { runSql } from '@shiplog/testing';

/** The log as stored in its table, ordered by id. */
export async function storedEvents(url: string): Promise<DeploymentEvent[]> {
  const rows = await runSql<{ event: string }>(url, 'select event from deployments order by id');
  return rows.map((row) => JSON.parse(row.event));
}

export async function countStored(url: string): Promise<number> {
  const [row] = await runSql<{ count: number }>(url, 'select count(*)::int as count from deployments');
  return row?.count ?? 0;
}

/**
 * The table of latest rows as `service environment status id`, sorted, for all services or for those with this prefix.
 */
export async function storedLatest(url: string, servicePrefix = ''): Promise<string[]> {
  const rows = await runSql<{ place: string }>(
    url,
    `select concat_ws(' ', service, environment, status, id) as place from latest_deployments
     where starts_with(service, $1) order by service, environment, status`,
    [servicePrefix],
  );
  return rows.map((row) => row.place);
}

/** The number of rows in each table that a reset clears. */
export async function countCleared(url: string): Promise<{ events: number; latest: number; cursors: number }> {
  const [row] = await runSql<{ events: number; latest: number; cursors: number }>(
    url,
    `select (select count(*) from deployments)::int as events, (select count(*) from latest_deployments)::int as latest,
       (select count(*) from fetcher_states)::int as cursors`,
  );
  if (!row) throw new Error('a count returned no row');
  return row;
}
