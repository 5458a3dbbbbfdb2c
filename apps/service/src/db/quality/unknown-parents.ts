import type { Scope } from '../../domain/scope.ts';
import { within } from '../analytics/span.ts';
import type { Queries } from '../database.ts';
import { countBySlot, type SlotCount } from './slots.ts';

/** Rows that arrived at least an hour ago and name an unknown parent (questions.md 10.2, `unknown-parent`). */
export async function countUnknownParents(queries: Queries, scope: Scope | undefined): Promise<SlotCount[]> {
  const place = within(scope, 'row', 1);
  const rows = `
    select distinct service, environment, happened_at, id
    from deployments row cross join lateral unnest(parents) as parent
    where parents is not null and id < log_floor(now() - interval '1 hour') ${place.text}
      and not exists (select from deployments where deployment_id = parent)`;
  return countBySlot(queries, rows, place.values);
}
