import type { Medians } from '../../domain/kpi.ts';
import type { Selection } from '../../domain/scope.ts';
import type { Queries } from '../database.ts';
import { readMedians } from './medians.ts';
import { instantsOf, within } from './span.ts';

/**
 * Hours from the earliest row on the way to a success in production, one sample for each such row that names parents
 * (reading 5.8). The way is followed upwards through the whole log; `union` keeps each deployment once per sample, so
 * cycles end, and ids that nobody has lead nowhere.
 *
 * Each deployment on the way is one look into the index: `offset 0` and `limit` keep the planner, which cannot know how
 * short the ways are, from joining the whole log once per step (8 times slower at 5M rows).
 */
export async function readLeadTimeMedians(
  queries: Queries,
  { window, scope }: Selection,
  /** The environments that are the last stage of the ladder. */
  production: readonly string[],
): Promise<Medians> {
  const place = within(scope, 'deployments', 5);
  return readMedians(
    queries,
    `production as (
      select id, happened_at, parents from deployments
      where environment = any($4) and status = 'success' and happened_at >= $1 and happened_at < $3
        and cardinality(parents) > 0 ${place.text}
    ), ancestors as (
      select id, unnest(parents) as deployment_id from production
      union
      select ancestors.id, unnest(step.parents) from ancestors
      cross join lateral (
        select parents from deployments where deployment_id = ancestors.deployment_id offset 0
      ) step
    ), earliest as (
      select ancestors.id, min(first.happened_at) as happened_at from ancestors
      cross join lateral (
        select happened_at from deployments where deployment_id = ancestors.deployment_id
        order by happened_at limit 1
      ) first
      group by ancestors.id
    ), samples as (
      select production.happened_at as at,
        extract(epoch from production.happened_at - earliest.happened_at)::float8 / 3600 as value
      from production join earliest using (id)
      where production.happened_at > earliest.happened_at
    )`,
    [...instantsOf(window), production, ...place.values],
  );
}
