import type { Queries } from '../database.ts';

/** The rows of one slot with a finding. */
export interface SlotCount {
  readonly service: string;
  readonly environment: string;
  readonly count: number;
  /** The newest of them. */
  readonly event_id: string;
}

/**
 * Counts selected rows by slot. The statement returns `service`, `environment`, `happened_at` and `id`, each row once.
 * @param also `by`: extra columns to group by; `counts`: extra aggregates; each with a trailing comma.
 */
export async function countBySlot<Also extends object = object>(
  queries: Queries,
  rows: string,
  values: readonly unknown[] = [],
  { by = '', counts = '' }: { readonly by?: string; readonly counts?: string } = {},
): Promise<(SlotCount & Also)[]> {
  const text = `
    select ${by} ${counts} service, environment, count(*)::float8 as count,
      (array_agg(id order by happened_at desc, id desc))[1] as event_id
    from (${rows}) found group by ${by} service, environment`;
  return queries.query<SlotCount & Also>({ text, values });
}
