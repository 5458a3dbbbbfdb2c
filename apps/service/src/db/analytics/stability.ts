import type { Selection } from '../../domain/scope.ts';
import type { SlotStability } from '../../domain/stability.ts';
import type { Queries } from '../database.ts';
import type { Items } from './evidence.ts';
import { instantsOf, within } from './span.ts';

const dayBefore = `$1::timestamptz - interval '24 hours'`;

/**
 * `successes`: the successes in a window (`$1` to `$2`), each with the rows that make it a rollback or rework
 * (questions.md 6 and 12.6), or null:
 *
 * - `earlier_id`, the last success of its release before another release replaced it, and `replaced_id`, the last
 *   success of that other release; successes without a release are skipped;
 * - `failure_id`, the failure right before it in its slot, at most 24 h ago.
 *
 * Reads the rows of the window and of the day before it, and the last success before those. An older success of a
 * release that comes back is looked up by index.
 */
const successes = (inScope: string) => `
  slots as (
    select service, environment, row_number() over () as slot from latest_deployments latest
    where status = 'success' and happened_at >= $1 ${inScope}
  ), ordered as (
    select slots.*, row.*, release <> lag(release) over releases as is_other, lag(id) over releases as replaced_id,
      lag(id) over (partition by slot, release order by happened_at, id) as known_id,
      lag(status) over rows as status_before, lag(happened_at) over rows as happened_before, lag(id) over rows as id_before
    from slots
    cross join lateral (
      select status, release, happened_at, id from deployments
      where service = slots.service and environment = slots.environment and status = 'success'
        and happened_at >= ${dayBefore} and happened_at < $2
      union all
      (select status, release, happened_at, id from deployments
      where service = slots.service and environment = slots.environment and status = 'success'
        and happened_at < ${dayBefore} and release is not null
        and exists (select from releases where service = slots.service)
      order by happened_at desc, id desc limit 1)
      union all
      select status, null, happened_at, id from deployments
      where service = slots.service and environment = slots.environment and status = 'failure'
        and happened_at >= ${dayBefore} and happened_at < $2
    ) row
    window rows as (partition by slot order by happened_at, id),
      releases as (partition by slot, release is not null order by happened_at, id)
  ), compared as (
    select *,
      case when is_other then coalesce(known_id, (
        select id from deployments earlier
        where service = ordered.service and environment = ordered.environment and status = 'success'
          and release = ordered.release and (happened_at, id) < (ordered.happened_at, ordered.id)
        order by happened_at desc, id desc limit 1
      )) end as earlier_id
    from ordered where status = 'success' and happened_at >= $1
  ), successes as (
    select service, environment, happened_at, id, release, earlier_id,
      case when earlier_id is not null then replaced_id end as replaced_id,
      case when status_before = 'failure' and happened_at - happened_before <= interval '24 hours' then id_before end
        as failure_id
    from compared
  )`;

export async function countStability(queries: Queries, { window, scope }: Selection): Promise<SlotStability[]> {
  const [from, , to] = instantsOf(window);
  const inScope = within(scope, 'latest', 3);
  return queries.query<SlotStability>({
    text: `
      with ${successes(inScope.text)}
      select service, environment, count(earlier_id)::float8 as rollbacks,
        count(coalesce(earlier_id, failure_id))::float8 as rework, count(*)::float8 as successes
      from successes group by service, environment`,
    values: [from, to, ...inScope.values],
  });
}

/** All successes; a rollback has the success that it replaced and the earlier success of its release. */
export function rollbackItems(selection: Selection): Items {
  return successItems(selection, {
    isCounted: 'earlier_id is not null',
    reason: `case when release is null then 'no-release' else 'no-rollback' end`,
    others: 'array[replaced_id, earlier_id]',
  });
}

/** All successes; rework has the failure before it and, if it is a rollback, the rows of the rollback. */
export function reworkItems(selection: Selection): Items {
  return successItems(selection, {
    isCounted: 'coalesce(earlier_id, failure_id) is not null',
    reason: `'no-rework'`,
    others: 'array[failure_id, replaced_id, earlier_id]',
  });
}

function successItems(
  { window, scope }: Selection,
  { isCounted, reason, others }: { isCounted: string; reason: string; others: string },
): Items {
  const [from, , to] = instantsOf(window);
  const inScope = within(scope, 'latest', 3);
  return {
    ctes: `${successes(inScope.text)}, items as (
      select happened_at as at, id, null as part, case when ${isCounted} then 1::float8 end as value,
        ${isCounted} as counted, case when not (${isCounted}) then ${reason} end as reason,
        failure_id, replaced_id, earlier_id
      from successes
    )`,
    others,
    values: [from, to, ...inScope.values],
  };
}
