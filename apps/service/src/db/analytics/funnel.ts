import { compileGlobs, type Stage } from '@shiplog/text';
import { environmentsIn, type StageCount, type StagedEnvironment, stagesOf } from '../../domain/promotion-order.ts';
import type { Scope, Selection } from '../../domain/scope.ts';
import { countedChanges } from '../changes.ts';
import type { Queries } from '../database.ts';
import { listEnvironments } from '../discovery.ts';
import type { Items } from './evidence.ts';
import { instantsOf, overlapping, within } from './span.ts';

/**
 * Distinct deployments with an event of any status in the environments of each stage (reading 5.11): the changes, less
 * those of a deployment that is already counted in its stage. Such a deployment has a change that isn't its last.
 */
export async function countByStage(
  queries: Queries,
  { window, scope, below }: Selection,
  stages: readonly StagedEnvironment[],
): Promise<StageCount[]> {
  const [from, , to] = instantsOf(window);
  const hasEvent = `and (first_at >= $1 or last_at < $2 or exists (
    select from deployments
    where deployment_id = changes.deployment_id and service = changes.service and environment = changes.environment
      and happened_at >= $1 and happened_at < $2 and id < $7
  ))`;
  const counted = countedChanges({ from, to }, hasEvent);
  const inScope = within(scope, 'changes', 10);
  return queries.query<StageCount>({
    text: `
      with promotion_order as (
        select * from unnest($8::text[], $9::text[]) as promotion_order (environment, stage)
      ), repeated as (
        select stage, sum(count - 1) as count
        from (
          select stage, count(*) from ${overlapping({ part: hasEvent })} join promotion_order using (environment)
          where deployment_id in (select deployment_id from ${overlapping({ part: 'and not is_last' })})
            ${inScope.text}
          group by deployment_id, stage
        ) reached
        group by stage
      )
      select stage as environment, (sum(changes) - coalesce(min(repeated.count), 0))::float8 as count
      from ${counted.text} join promotion_order using (environment) left join repeated using (stage)
      where true ${inScope.text} group by stage`,
    values: [
      ...counted.values,
      below,
      stages.map(({ environment }) => environment),
      stages.map(({ stage }) => stage),
      ...inScope.values,
    ],
  });
}

/**
 * The names of the stages that match the scope, in promotion order (questions.md 12.2). A stage of several environments
 * matches if one of them does (stages.md 4.4).
 */
export async function stagesWithin(
  queries: Queries,
  promotionOrder: readonly Stage[],
  scope: Scope | undefined,
): Promise<readonly string[]> {
  const names = promotionOrder.map(({ name }) => name);
  if (!scope?.environments) return names;
  const staged = stagesOf(await listEnvironments(queries), promotionOrder);
  const isAsked = compileGlobs(scope.environments);
  return promotionOrder
    .filter(({ name, globs }) => {
      const spellings = globs ? environmentsIn(staged, name) : [name];
      return spellings.some(isAsked);
    })
    .map(({ name }) => name);
}

interface OrderedEnvironment extends StagedEnvironment {
  /** Whether the response includes the stage; a scope may exclude it. */
  readonly isShown: boolean;
}

/** Each deployment in each stage and in each environment outside the promotion order, with its rows, oldest first. */
export function funnelItems({ window, scope, below }: Selection, promotionOrder: readonly OrderedEnvironment[]): Items {
  const [from, , to] = instantsOf(window);
  const inScope = within(scope, 'deployments', 7);
  const judged = `case when is_shown then 1::float8 end as value, is_shown as counted,
    case when not is_shown then 'outside-ladder' end as reason`;
  return {
    ctes: `promotion_order as (
      select * from unnest($4::text[], $5::text[], $6::boolean[]) as promotion_order (environment, stage, is_shown)
    ), rows as not materialized (
      select deployment_id, stage, coalesce('stage ' || stage, 'environment ' || environment) as place,
        coalesce(is_shown, false) as is_shown, happened_at, id
      from deployments left join promotion_order using (environment)
      where happened_at >= $1 and happened_at < $2 and id < $3 ${inScope.text}
    ), reached as (
      select case when is_shown then stage end as part, ${judged}
      from (select distinct deployment_id, stage, place, is_shown from rows) reached
    ), items as (
      select rows.happened_at as at, rows.id, rows.deployment_id, rows.place, ${judged}
      from rows
      cross join lateral (
        select id from rows own where own.deployment_id = rows.deployment_id and own.place = rows.place
        order by happened_at, id limit 1
      ) first
      where first.id = rows.id
    )`,
    tallied: 'reached',
    others: `array(
      select id from rows
      where rows.deployment_id = page.deployment_id and rows.place = page.place and rows.id <> page.id
      order by happened_at, id)`,
    values: [
      ...[from, to, below],
      ...[promotionOrder.map(({ environment }) => environment), promotionOrder.map(({ stage }) => stage)],
      promotionOrder.map(({ isShown }) => isShown),
      ...inScope.values,
    ],
  };
}
