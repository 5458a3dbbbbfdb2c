import type { Medians } from '../../domain/kpi.ts';
import type { Selection } from '../../domain/scope.ts';
import type { Queries } from '../database.ts';
import type { Items } from './evidence.ts';
import { type MedianRow, medians, mediansOf, secondsOf } from './medians.ts';
import { instantsOf, rowsWithin, within } from './span.ts';

/** If there are more loose ends, none are stored. */
export const looseEndsMax = 1000;

/**
 * `production`: the production successes from `$1` to `to` that name parents; `ancestors`: the deployments that they
 * were promoted from (reading 5.8), through the whole log. `union` ends cycles. Each ancestor is one index lookup:
 * without `offset 0` and `limit` the planner, which can't know how short the paths are, would join the whole log once
 * per step (8 times slower at 5M rows).
 */
function promotionPaths(to: string, environments: string, inScope: string): string {
  const successes = inScope
    ? rowsWithin('row.*', `and status = 'success' and environment = any(${environments}) ${inScope}`, to)
    : `select id, happened_at, parents from deployments
       where environment = any(${environments}) and status = 'success' and happened_at >= $1 and happened_at < ${to}`;
  return `
    production as (
      select id, happened_at, parents from (${successes}) successes where cardinality(parents) > 0
    ), ancestors as (
      select id, unnest(parents) as deployment_id from production
      union
      select ancestors.id, unnest(step.parents) from ancestors
      cross join lateral (
        select parents from deployments where deployment_id = ancestors.deployment_id offset 0
      ) step
    )`;
}

/**
 * Hours from the earliest ancestor row to each production success, and the loose ends: ancestors without a row before
 * the end of the window.
 */
export async function readLeadTimeMedians(
  queries: Queries,
  { window, scope }: Selection,
  /** The environments of the last stage. */
  production: readonly string[],
): Promise<{ readonly medians: Medians; readonly looseEnds: string[] }> {
  const inScope = within(scope, 'slot', 5);
  const samples = `
    ${promotionPaths('$3', '$4', inScope.text)}, firsts as (
      select ancestors.*, first.happened_at
      from ancestors
      left join lateral (
        select happened_at from deployments where deployment_id = ancestors.deployment_id
        order by happened_at limit 1
      ) first on true
    ), samples as (
      select production.happened_at as at,
        ${secondsOf('production.happened_at - earliest.happened_at')} / 3600 as value
      from production join (select id, min(happened_at) as happened_at from firsts group by id) earliest using (id)
      where production.happened_at > earliest.happened_at
    )`;
  const loose = `, array(
    select distinct deployment_id from firsts where happened_at is null or happened_at >= $3 limit ${looseEndsMax + 1}
  ) as "looseEnds"`;
  const rows = await queries.query<MedianRow & { looseEnds: string[] }>({
    text: medians(samples, loose),
    values: [...instantsOf(window), production, ...inScope.values],
  });
  return { medians: mediansOf(rows), looseEnds: rows[0]?.looseEnds ?? [] };
}

/** All successes; those in production have their earliest ancestor row. */
export function leadTimeItems({ window, scope }: Selection, production: readonly string[]): Items {
  const [from, , to] = instantsOf(window);
  const inScope = within(scope, 'slot', 4);
  return {
    ctes: `${promotionPaths('$2', '$3', inScope.text)}, earliest as (
      select distinct on (ancestors.id) ancestors.id, first.happened_at, first.id as first_id from ancestors
      cross join lateral (
        select happened_at, id from deployments where deployment_id = ancestors.deployment_id
        order by happened_at, id limit 1
      ) first
      order by ancestors.id, first.happened_at, first.id
    ), successes as (
      select row.happened_at as at, row.id, slot.environment = any($3) as is_production
      from (select service, environment from latest_deployments slot
            where status = 'success' and happened_at >= $1 ${inScope.text}) slot
      cross join lateral (
        select happened_at, id from deployments
        where service = slot.service and environment = slot.environment and status = 'success'
          and happened_at >= $1 and happened_at < $2
      ) row
    ), measured as (
      select successes.*, production.id is not null as has_parents, first_id,
        extract(epoch from at - earliest.happened_at)::float8 / 3600 as value
      from successes left join production using (id) left join earliest using (id)
    ), judged as (
      select *, case when not is_production then 'not-production' when not has_parents then 'no-parents'
        when value is null then 'unknown-parent' when value <= 0 then 'not-positive' end as reason
      from measured
    ), items as (
      select at, id, null as part, value, reason is null as counted, reason, first_id from judged
    )`,
    // In a cycle the earliest row may be the success itself.
    others: 'array[nullif(first_id, page.id)]',
    values: [from, to, production, ...inScope.values],
  };
}
