import type { Scope } from '../../domain/scope.ts';
import { within } from '../analytics/span.ts';
import type { Queries } from '../database.ts';
import { countBySlot, type SlotCount } from './slots.ts';

/**
 * Rows that say the status of a deployment in a place again within 10 minutes (questions.md 10.2, `duplicate`): the
 * repeats only, by `happened_at`.
 */
export async function countDuplicates(queries: Queries, scope: Scope | undefined): Promise<SlotCount[]> {
  const place = within(scope, 'deployments', 1);
  const rows = `
    select * from (
      select service, environment, happened_at, id, lag(happened_at) over same as said_at
      from deployments where true ${place.text}
      window same as (partition by deployment_id, service, environment, status order by happened_at, id)
    ) said
    where happened_at - said_at <= interval '10 minutes'`;
  return countBySlot(queries, rows, place.values);
}
