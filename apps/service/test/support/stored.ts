import type { DeploymentEvent } from '@shiplog/contract';
import { runSql } from '@shiplog/testing';

/** The log itself, as the table holds it, by id. */
export async function storedEvents(url: string): Promise<DeploymentEvent[]> {
  const rows = await runSql<{ event: string }>(url, 'select event from deployments order by id');
  return rows.map((row) => JSON.parse(row.event));
}

export async function countStored(url: string): Promise<number> {
  const [row] = await runSql<{ count: number }>(url, 'select count(*)::int as count from deployments');
  return row?.count ?? 0;
}
