import { stageStatuses } from '@shiplog/contract';
import type { StageFigures } from '../../domain/analytics-answers.ts';
import type { Selection } from '../../domain/scope.ts';
import type { Queries } from '../database.ts';
import type { Items } from './evidence.ts';
import { medianOf } from './medians.ts';
import { instantsOf, within } from './span.ts';

const isStage = `status in ('${stageStatuses.join("', '")}')`;

/**
 * `samples`: the runs of a non-final status that start in a window (`$1` to `$2`), with their `minutes`, null if they
 * have not ended (questions.md 5). The next row of another status, `ended_id`, ends a run. It may be anywhere in the
 * log, so every deployment with a non-final row in the window is read completely.
 */
const samples = (inScope: string) => `
  places as (
    select distinct row.deployment_id, slot.service, slot.environment
    from (select service, environment, status from latest_deployments slot
          where ${isStage} and happened_at >= $1 ${inScope}) slot
    cross join lateral (
      select deployment_id from deployments
      where service = slot.service and environment = slot.environment and status = slot.status
        and happened_at >= $1 and happened_at < $2
    ) row
  ), rows as (
    select places.*, row.status, row.happened_at, row.id, lag(row.status) over earlier as before
    from places
    cross join lateral (
      select status, happened_at, id from deployments
      where deployment_id = places.deployment_id and service = places.service
        and environment = places.environment offset 0
    ) row
    window earlier as (partition by places.deployment_id, places.service, places.environment
      order by row.happened_at, row.id)
  ), runs as (
    select service, environment, status, happened_at, id, lead(happened_at) over later as ended_at,
      lead(id) over later as ended_id
    from rows where before is distinct from status
    window later as (partition by deployment_id, service, environment order by happened_at, id)
  ), samples as (
    select service, environment, status, happened_at, id, ended_id,
      extract(epoch from ended_at - happened_at)::float8 / 60 as minutes
    from runs where ${isStage} and happened_at >= $1 and happened_at < $2
  )`;

/** Minutes of completed runs, by status, and by slot and status. */
export async function readStages(queries: Queries, { window, scope }: Selection): Promise<StageFigures[]> {
  const [from, , to] = instantsOf(window);
  const inScope = within(scope, 'slot', 3);
  return queries.query<StageFigures>({
    text: `
      with ${samples(inScope.text)}
      select service, environment, status, count(*)::float8 as count,
        ${medianOf('minutes')} as p50,
        percentile_disc(0.95) within group (order by minutes) as p95, sum(minutes) as total_minutes
      from samples where minutes is not null
      group by grouping sets ((status), (service, environment, status))`,
    values: [from, to, ...inScope.values],
  });
}

/** Each run of a non-final status, with the row that ended it. */
export function stageItems({ window, scope }: Selection): Items {
  const [from, , to] = instantsOf(window);
  const inScope = within(scope, 'slot', 3);
  return {
    ctes: `${samples(inScope.text)}, items as (
      select happened_at as at, id, status as part, minutes as value, ended_id is not null as counted,
        case when ended_id is null then 'open' end as reason, ended_id
      from samples
    )`,
    others: 'array[ended_id]',
    values: [from, to, ...inScope.values],
  };
}
