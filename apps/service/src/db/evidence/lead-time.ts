import type { Selection } from '../../domain/scope.ts';
import { ways } from '../analytics/lead-times.ts';
import { instantsOf, within } from '../analytics/span.ts';
import type { Items } from './items.ts';

/** Each success; one in production with the earliest row on the way to it. `production`: its environments. */
export function leadTimeItems({ window, scope }: Selection, production: readonly string[]): Items {
  const [from, , to] = instantsOf(window);
  const slots = within(scope, 'slot', 4);
  return {
    ctes: `${ways('$2', '$3', slots.text)}, earliest as (
      select distinct on (ancestors.id) ancestors.id, first.happened_at, first.id as first_id from ancestors
      cross join lateral (
        select happened_at, id from deployments where deployment_id = ancestors.deployment_id
        order by happened_at, id limit 1
      ) first
      order by ancestors.id, first.happened_at, first.id
    ), successes as (
      select row.happened_at as at, row.id, slot.environment = any($3) as is_production
      from (select service, environment from latest_deployments slot
            where status = 'success' and happened_at >= $1 ${slots.text}) slot
      cross join lateral (
        select happened_at, id from deployments
        where service = slot.service and environment = slot.environment and status = 'success'
          and happened_at >= $1 and happened_at < $2
      ) row
    ), measured as (
      select successes.*, production.id is not null as has_parents, first_id,
        extract(epoch from at - earliest.happened_at)::float8 / 3600 as value
      from successes left join production using (id) left join earliest using (id)
    ), judged as (
      select *, case when not is_production then 'not-production' when not has_parents then 'no-parents'
        when value is null then 'unknown-parent' when value <= 0 then 'not-positive' end as reason
      from measured
    ), items as (
      select at, id, null as part, value, reason is null as counted, reason, first_id from judged
    )`,
    // Around a cycle the earliest row may be the success itself.
    others: 'array[nullif(first_id, page.id)]',
    values: [from, to, production, ...slots.values],
  };
}
