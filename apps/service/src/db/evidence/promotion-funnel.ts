import type { Selection } from '../../domain/scope.ts';
import { instantsOf, within } from '../analytics/span.ts';
import type { Items } from './items.ts';

/** An environment of the ladder. */
export interface LadderPlace {
  readonly environment: string;
  readonly stage: string;
  /** Whether the stage is in the answer: a scope may leave it out. */
  readonly isShown: boolean;
}

/**
 * Each deployment in each stage of the ladder and in each other environment: all its rows of the window, oldest first.
 * The items of a page are found among the newest rows, by a look at the rows of each one's deployment.
 */
export function funnelItems({ window, scope }: Selection, ladder: readonly LadderPlace[]): Items {
  const [from, , to] = instantsOf(window);
  const place = within(scope, 'deployments', 6);
  const judged = `case when is_shown then 1::float8 end as value, is_shown as counted,
    case when not is_shown then 'outside-ladder' end as reason`;
  return {
    ctes: `ladder as (
      select * from unnest($3::text[], $4::text[], $5::boolean[]) as ladder (environment, stage, is_shown)
    ), rows as not materialized (
      select deployment_id, coalesce(stage, environment) as place, coalesce(is_shown, false) as is_shown, happened_at, id
      from deployments left join ladder using (environment)
      where happened_at >= $1 and happened_at < $2 ${place.text}
    ), reached as (
      select case when is_shown then place end as part, ${judged}
      from (select distinct deployment_id, place, is_shown from rows) reached
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
      ...[from, to, ladder.map(({ environment }) => environment), ladder.map(({ stage }) => stage)],
      ladder.map(({ isShown }) => isShown),
      ...place.values,
    ],
  };
}
