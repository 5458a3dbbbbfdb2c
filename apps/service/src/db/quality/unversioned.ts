import { slotCounter } from './slots.ts';

/**
 * The last 10 rows of each slot with at least that many, if none has a version or a sha (questions.md 10.2,
 * `unversioned`). The index returns the last ten of each status; the newest of those are the last ten of the slot.
 */
export const countUnversioned = slotCounter(
  'slot',
  (inScope) => `
    select slot.service, slot.environment, row.happened_at, row.id
    from (select distinct service, environment from latest_deployments slot where true ${inScope}) slot
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
