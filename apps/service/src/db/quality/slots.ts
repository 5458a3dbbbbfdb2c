import type { Queries } from '../database.ts';

/** Rows of one slot that a finding is about. */
export interface SlotCount {
  readonly service: string;
  readonly environment: string;
  readonly count: number;
  /** The newest of them. */
  readonly event_id: string;
}

/**
 * Counts by slot what a statement selects: `service`, `environment`, `happened_at` and `id`, of each row once.
 * @param also `by`: further columns to count by; `counts`: further aggregates; each with a comma.
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
  return queries.query<SlotCount & Also>({ text }, values);
}
