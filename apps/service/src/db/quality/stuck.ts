import { stageStatuses } from '@shiplog/contract';
import { slotCounter } from './slots.ts';

/**
 * Deployments with a latest row that is not final and is older than both an hour and three times the 95th percentile of
 * durations in its slot over the last 30 days (questions.md 10.2, 12.10 and 12.12, `stuck`).
 */
export const countStuck = slotCounter(
  'last',
  (inScope) => `
    with last as materialized (
      select distinct on (deployment_id) deployment_id, service, environment, status, happened_at, id
      from deployments order by deployment_id desc, happened_at desc, id desc
    ), waiting as (
      select * from last
      where status in ('${stageStatuses.join("', '")}') and happened_at < now() - interval '1 hour' ${inScope}
    ), usual as (
      select service, environment,
        percentile_disc(0.95) within group (order by extract(epoch from last.happened_at - first.happened_at)) as p95
      from last
      cross join lateral (
        select happened_at, id from deployments where deployment_id = last.deployment_id order by happened_at, id limit 1
      ) first
      where (service, environment) in (select service, environment from waiting)
        and last.happened_at >= now() - interval '720 hours' and last.happened_at < now() and first.id <> last.id
      group by service, environment
    )
    select service, environment, happened_at, id from waiting left join usual using (service, environment)
    where usual.p95 is null or extract(epoch from now() - happened_at) > 3 * usual.p95`,
);
