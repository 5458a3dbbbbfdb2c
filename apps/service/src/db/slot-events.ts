import type { Queries } from './database.ts';

/** The JSON of the latest event of each status that a slot has, newest first: a look into an index for each, whatever the log has. */
export async function latestEventsOf(
  queries: Queries,
  { service, environment }: { readonly service: string; readonly environment: string },
): Promise<string[]> {
  const rows = await queries.query<{ event: string }>(
    {
      name: 'latest-events-of-slot',
      text: `select deployments.event from latest_deployments latest join deployments using (id)
        where latest.service = $1 and latest.environment = $2
        order by latest.happened_at desc, latest.id desc`,
    },
    [service, environment],
  );
  return rows.map(({ event }) => event);
}
