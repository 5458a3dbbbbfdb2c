import { stageStatuses } from '@shiplog/contract';
import type { StageFigures } from '../../domain/analytics-answers.ts';
import type { Selection } from '../../domain/scope.ts';
import type { Queries } from '../database.ts';
import type { Items } from './evidence.ts';
import { medianOf } from './medians.ts';
import { inSlot, instantsOf, slotsWith, within } from './span.ts';

const isStage = `status in ('${stageStatuses.join("', '")}')`;

/**
 * `samples`: the runs of a non-final status that start in a window (`$1` to `$2`), with their `minutes`, null if they
 * have not ended (questions.md 5). The next event of another status, `ended_id`, ends a run.
 * @param others further columns of a run; without them an index has all.
 */
const samples = (inScope: string, others = '') => `
  ${slotsWith(isStage, inScope)}, samples as (
    select slots.*, first_at, first_id, minutes${others}
    from slots cross join lateral (
      select * from status_runs
      where ${inSlot} and status = slots.status and first_at >= $1 and first_at < $2 and ${isStage}
    ) run
  )`;

/** Minutes of completed runs, by status, and by slot and status. Numbers sort in a third of the time. */
export async function readStages(queries: Queries, { window, scope }: Selection): Promise<StageFigures[]> {
  const [from, , to] = instantsOf(window);
  const inScope = within(scope, 'slot', 4);
  const stages = '$3::text[]';
  return queries.query<StageFigures>({
    text: `
      with ${samples(inScope.text)}, figures as (
        select stage, slot, count(*)::float8 as count, ${medianOf('minutes')} as p50,
          percentile_disc(0.95) within group (order by minutes) as p95,
          -- Whole microseconds, because a sum of fractions depends on their order.
          sum(round(minutes * 60000000)::bigint)::float8 / 60000000 as total_minutes
        from (
          select array_position(${stages}, status) as stage, slot, minutes from samples
          where minutes is not null offset 0
        ) samples
        group by grouping sets ((stage), (slot))
      )
      select service, environment, coalesce(slots.status, (${stages})[stage]) as status, count, p50, p95, total_minutes
      from figures left join slots using (slot)`,
    values: [from, to, stageStatuses, ...inScope.values],
  });
}

/** Each run of a non-final status, with the row that ended it. */
export function stageItems({ window, scope }: Selection): Items {
  const [from, , to] = instantsOf(window);
  const inScope = within(scope, 'slot', 3);
  return {
    ctes: `${samples(inScope.text, ', ended_id')}, items as (
      select first_at as at, first_id as id, status as part, minutes as value, ended_id is not null as counted,
        case when ended_id is null then 'open' end as reason, ended_id
      from samples
    )`,
    others: 'array[ended_id]',
    values: [from, to, ...inScope.values],
  };
}
