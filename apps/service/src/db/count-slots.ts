import type { Queries } from './database.ts';

/** How many slots the log has. */
export async function countSlots(queries: Queries): Promise<number> {
  const [head] = await queries.query<{ slots: string }>({
    name: 'count-slots',
    text: `select slots from log_heads where log = 'deployments'`,
  });
  return Number(head?.slots ?? 0);
}
