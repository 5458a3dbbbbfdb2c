import { stageStatuses } from '@shiplog/contract';
import type { StageFigures } from '../../domain/analytics-answers.ts';
import type { Selection } from '../../domain/scope.ts';
import type { Queries } from '../database.ts';
import type { Items } from './evidence.ts';
import { medianShares } from './medians.ts';
import { inSlot, instantsOf, slotsWith, within } from './span.ts';

const isStage = `status in ('${stageStatuses.join("', '")}')`;

/** The runs of a non-final status that start in a window (`$1` to `$2`); those that have not ended have no `minutes`. */
const runs = `
  select * from status_runs
  where ${inSlot} and status = slots.status and first_at >= $1 and first_at < $2 and ${isStage}`;

/** The mean of the first two is the median. */
const shares = [...medianShares, 0.95];

/**
 * Minutes of completed runs (questions.md 5), by status, and by slot and status. The values of each slot are sorted;
 * sorting all of them again for the figures of a status would take twice as long as everything else. So the range of
 * each of its percentiles is halved, by the number of values up to its middle, until both of its ends are the same value.
 */
export async function readStages(queries: Queries, { window, scope }: Selection): Promise<StageFigures[]> {
  const [from, , to] = instantsOf(window);
  const inScope = within(scope, 'slot', 4);
  return queries.query<StageFigures>({
    text: `
      with recursive ${slotsWith(isStage, inScope.text)}, sorted as materialized (
        select slots.*, minutes, total, cardinality(minutes) as count
        from slots cross join lateral (
          -- Whole microseconds, because a sum of fractions depends on their order.
          select array_agg(minutes order by minutes) as minutes, sum(round(minutes * 60000000)::bigint) as total
          from (${runs}) run where minutes is not null
        ) run
        where minutes is not null
      ), search as (
        select status, share, ceil(share * sum(count)) as place, min(minutes[1]) as low, max(minutes[count]) as high
        from sorted cross join unnest($3::float8[]) share group by status, share
        union all
        select status, share, place, case when below < place then above else low end,
          case when below < place then high else value end
        from search
        cross join lateral (
          select sum(below) as below, max(minutes[below]) as value, min(minutes[below + 1]) as above
          from sorted
          -- Values are whole microseconds, so there is always a middle below the higher one.
          cross join lateral (select width_bucket((low + high) / 2, minutes) as below) found
          where sorted.status = search.status
        ) middle
        where low < high
      ), percentiles as (
        select status, array_agg(low order by share) as value from search where low = high group by status
      ), figures as (
        select service, environment, status, count, total,
          array(select minutes[ceil(share * count)::int] from unnest($3) share order by share) as value
        from sorted
        union all
        select null, null, status, sum(count), sum(total), value
        from sorted join percentiles using (status) group by status, value
      )
      select service, environment, status, count::float8, (value[1] + value[2]) / 2 as p50, value[3] as p95,
        total::float8 / 60000000 as total_minutes
      from figures`,
    values: [from, to, shares, ...inScope.values],
  });
}

/** Each run of a non-final status, with the row that ended it. */
export function stageItems({ window, scope }: Selection): Items {
  const [from, , to] = instantsOf(window);
  const inScope = within(scope, 'slot', 3);
  return {
    ctes: `${slotsWith(isStage, inScope.text)}, items as (
      select first_at as at, first_id as id, run.status as part, minutes as value, ended_id is not null as counted,
        case when ended_id is null then 'open' end as reason, ended_id
      from slots cross join lateral (${runs}) run
    )`,
    others: 'array[ended_id]',
    values: [from, to, ...inScope.values],
  };
}
