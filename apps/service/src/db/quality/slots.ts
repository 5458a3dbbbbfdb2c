import type { Scope } from '../../domain/scope.ts';
import { within } from '../analytics/span.ts';
import type { Queries } from '../database.ts';

/** The rows with a finding in one slot. */
export interface SlotCount {
  readonly service: string;
  readonly environment: string;
  readonly count: number;
  /** The newest of these rows. */
  readonly event_id: string;
}

/**
 * Counts the rows with a finding by slot. `rowsOf` returns a statement for `service`, `environment`, `happened_at` and
 * `id`, each row once, from the condition of the scope on `table`.
 */
export function slotCounter(table: string, rowsOf: (inScope: string) => string) {
  return (queries: Queries, scope: Scope | undefined): Promise<SlotCount[]> => {
    const { text, values } = within(scope, table, 1);
    return countBySlot(queries, rowsOf(text), values);
  };
}

/** @param also `by`: extra columns to group by; `counts`: extra aggregates; each with a trailing comma. */
export async function countBySlot<Also extends object = object>(
  queries: Queries,
  rows: string,
  values: readonly unknown[],
  { by = '', counts = '' }: { readonly by?: string; readonly counts?: string } = {},
): Promise<(SlotCount & Also)[]> {
  const text = `
    select ${by} ${counts} service, environment, count(*)::float8 as count,
      (array_agg(id order by happened_at desc, id desc))[1] as event_id
    from (${rows}) found group by ${by} service, environment`;
  return queries.query<SlotCount & Also>({ text, values });
}
