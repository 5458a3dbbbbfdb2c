import type { Scope } from '../../domain/scope.ts';
import { within } from '../analytics/span.ts';
import type { Queries } from '../database.ts';
import { countBySlot, type SlotCount } from './slots.ts';

/**
 * Rows that repeat a deployment status in the same slot within 10 minutes (questions.md 10.2, `duplicate`): only the
 * repeats, by `happened_at`. The slot index returns the rows of each slot and status in order; the rows of a deployment
 * are checked only if the previous row of any deployment is that close. `offset 0` keeps this one lookup each, by the
 * deployment index.
 */
export async function countDuplicates(queries: Queries, scope: Scope | undefined): Promise<SlotCount[]> {
  const place = within(scope, 'deployments', 1);
  const rows = `
    select service, environment, happened_at, id from (
      select service, environment, status, deployment_id, happened_at, id, lag(happened_at) over same as before_at
      from deployments where true ${place.text}
      window same as (partition by service, environment, status order by happened_at, id)
    ) said
    where happened_at - before_at <= interval '10 minutes' and exists (
      select from (
        select service, environment, status from deployments
        where deployment_id = said.deployment_id and happened_at >= said.happened_at - interval '10 minutes'
          and (happened_at, id) < (said.happened_at, said.id)
        offset 0
      ) first
      where first.service = said.service and first.environment = said.environment and first.status = said.status)`;
  return countBySlot(queries, rows, place.values);
}
