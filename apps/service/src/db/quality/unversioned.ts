import { slotCounter } from './slots.ts';

/**
 * The last 10 rows of each slot with at least that many, if none has a version or a sha (questions.md 10.2,
 * `unversioned`). Most slots are ruled out by their last row. The index returns the last ten of each status; the newest
 * of those are the last ten of the slot.
 */
export const countUnversioned = slotCounter(
  'latest',
  (inScope) => `
    select slot.service, slot.environment, row.happened_at, row.id
    from (
      select distinct on (service, environment) service, environment, id from latest_deployments latest where true ${inScope}
      order by service, environment, happened_at desc, id desc
    ) slot
    join deployments last on last.id = slot.id and last.release is null
    cross join lateral (
      select happened_at, id, release, count(*) over () as rows, count(release) over () as released
      from (
        select row.* from latest_deployments latest
        cross join lateral (
          select happened_at, id, release from deployments
          where service = latest.service and environment = latest.environment and status = latest.status
          order by happened_at desc, id desc limit 10
        ) row
        where latest.service = slot.service and latest.environment = slot.environment
        order by happened_at desc, id desc limit 10
      ) ten
    ) row
    where row.rows = 10 and row.released = 0`,
);
