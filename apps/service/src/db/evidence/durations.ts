import type { Selection } from '../../domain/scope.ts';
import { instantsOf, within } from '../analytics/span.ts';
import type { Items } from './items.ts';

/** The last row of each deployment that has one in the window and none after it. */
const lastRows = `
  select distinct on (deployment_id) deployment_id, happened_at, id from deployments last
  where happened_at >= $1 and happened_at < $2 and not exists (
    select from deployments where deployment_id = last.deployment_id and happened_at >= $2)
  order by deployment_id, happened_at desc, id desc`;

/** The same of the deployments whose last row is in a scope, from those that have any row there. */
const lastRowsWithin = (slot: string, last: string) => `
  select last.deployment_id, last.happened_at, last.id
  from (
    select distinct row.deployment_id
    from (select service, environment, status from latest_deployments slot where true ${slot}) slot
    cross join lateral (
      select deployment_id from deployments
      where service = slot.service and environment = slot.environment and status = slot.status
        and happened_at >= $1 and happened_at < $2
    ) row
  ) seen
  cross join lateral (
    select deployment_id, service, environment, happened_at, id from deployments
    where deployment_id = seen.deployment_id order by happened_at desc, id desc limit 1
  ) last
  where last.happened_at >= $1 and last.happened_at < $2 ${last}`;

/** Each deployment whose last row is in the window, with its first row, wherever that lies (reading 5.10). */
export function durationItems({ window, scope }: Selection): Items {
  const [from, , to] = instantsOf(window);
  const place = within(scope, 'slot', 3);
  return {
    ctes: `items as (
      select last.happened_at as at, last.id, null as part, first.id as first_id, first.id <> last.id as counted,
        case when first.id = last.id then 'single-row' end as reason,
        case when first.id <> last.id then extract(epoch from last.happened_at - first.happened_at)::float8 / 60 end
          as value
      from (${scope ? lastRowsWithin(place.text, within(scope, 'last', 3).text) : lastRows}) last
      cross join lateral (
        select happened_at, id from deployments where deployment_id = last.deployment_id
        order by happened_at, id limit 1
      ) first
    )`,
    others: 'array[nullif(first_id, page.id)]',
    values: [from, to, ...place.values],
  };
}
