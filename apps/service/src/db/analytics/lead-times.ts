import type { Window } from '../../domain/analytics-window.ts';
import type { Medians } from '../../domain/kpi.ts';
import type { Queries } from '../database.ts';
import { readMedians } from './medians.ts';
import { instantsOf } from './span.ts';

/**
 * Hours from the earliest row on the way to a success in production, one sample for each such row that names parents
 * (reading 5.8). The way is followed upwards through the whole log; `union` keeps each deployment once per sample, so
 * cycles end, and ids that nobody has lead nowhere.
 */
export async function readLeadTimeMedians(
  queries: Queries,
  window: Window,
  /** The environments that are the last stage of the ladder. */
  production: readonly string[],
): Promise<Medians> {
  return readMedians(
    queries,
    `production as (
      select id, happened_at, parents from deployments
      where environment = any($4) and status = 'success' and happened_at >= $1 and happened_at < $3
        and cardinality(parents) > 0
    ), ancestors as (
      select id, unnest(parents) as deployment_id from production
      union
      select ancestors.id, parent from ancestors join deployments using (deployment_id)
        cross join unnest(deployments.parents) as parent
    ), earliest as (
      select ancestors.id, min(deployments.happened_at) as happened_at
      from ancestors join deployments using (deployment_id) group by ancestors.id
    ), samples as (
      select production.happened_at as at,
        extract(epoch from production.happened_at - earliest.happened_at)::float8 / 3600 as value
      from production join earliest using (id)
      where production.happened_at > earliest.happened_at
    )`,
    [...instantsOf(window), production],
  );
}
