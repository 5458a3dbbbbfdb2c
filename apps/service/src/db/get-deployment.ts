import type { Queries } from './database.ts';

/** The JSON of one event, `undefined` where no row has the id. */
export async function getDeployment(queries: Queries, id: string): Promise<string | undefined> {
  const [row] = await queries.query<{ event: string }>(
    { name: 'get-deployment', text: 'select event from deployments where id = $1' },
    [id],
  );
  return row?.event;
}
