import { slotCounter } from './slots.ts';

/**
 * Rows that repeat a deployment status in the same slot within 10 minutes (questions.md 10.2, `duplicate`). Reads each
 * slot and status in index order, and looks up the rows of a deployment only if any row is that close before. Without
 * `offset 0` those lookups would not use the deployment index.
 */
export const countDuplicates = slotCounter(
  'deployments',
  (inScope) => `
    select service, environment, happened_at, id from (
      select service, environment, status, deployment_id, happened_at, id, lag(happened_at) over same as before_at
      from deployments where true ${inScope}
      window same as (partition by service, environment, status order by happened_at, id)
    ) repeat
    where happened_at - before_at <= interval '10 minutes' and exists (
      select from (
        select service, environment, status from deployments
        where deployment_id = repeat.deployment_id and happened_at >= repeat.happened_at - interval '10 minutes'
          and (happened_at, id) < (repeat.happened_at, repeat.id)
        offset 0
      ) first
      where first.service = repeat.service and first.environment = repeat.environment and first.status = repeat.status)`,
);
