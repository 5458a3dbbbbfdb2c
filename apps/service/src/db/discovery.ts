import type { Queries } from './database.ts';

/** Sorted by code point. */
export async function listServices(queries: Queries): Promise<string[]> {
  const text = 'select distinct service from latest_deployments order by service';
  const rows = await queries.query<{ service: string }>({ name: 'list-services', text });
  return rows.map(({ service }) => service);
}

/** Sorted by code point. */
export async function listEnvironments(queries: Queries): Promise<string[]> {
  const text = 'select distinct environment from latest_deployments order by environment';
  const rows = await queries.query<{ environment: string }>({ name: 'list-environments', text });
  return rows.map(({ environment }) => environment);
}
