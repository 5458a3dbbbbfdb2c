import type { Queries } from './database.ts';

/** Services with stored events, by code point. */
export async function listServices(queries: Queries): Promise<string[]> {
  const rows = await queries.query<{ service: string }>({
    name: 'list-services',
    text: 'select distinct service from latest_deployments order by service',
  });
  return rows.map((row) => row.service);
}

/** Environments with stored events, by code point. */
export async function listEnvironments(queries: Queries): Promise<string[]> {
  const rows = await queries.query<{ environment: string }>({
    name: 'list-environments',
    text: 'select distinct environment from latest_deployments order by environment',
  });
  return rows.map((row) => row.environment);
}
