import type { StabilityCounts } from '../../domain/analytics-answers.ts';
import type { Selection } from '../../domain/scope.ts';
import type { Queries } from '../database.ts';
import { countByStatus } from './counts.ts';
import type { Items } from './evidence.ts';
import { failedRuns } from './incidents.ts';
import { eventsWith, inSlot, instantsOf, slotsWith, within } from './span.ts';

/**
 * `repairs`: the successes in a window (`$1` to `$2`) that are a rollback or rework (questions.md 6 and 12.6), with the
 * rows that make them so:
 *
 * - `earlier_id`, the last success of its release before another release replaced it, and `replaced_id`, the last
 *   success of that other release; successes without a release are skipped;
 * - `failure_id`, the failure right before it in its slot, at most 24 h ago.
 */
const repairs = (inScope: string) => `
  ${slotsWith(`status in ('success', 'failure')`, inScope)}, ${failedRuns('$2')}, repairs as (
    select service, environment, id, earlier_id, failure_id
    from (
      select slots.service, slots.environment, first_id as id, earlier_id
      from (select distinct service, environment from slots where status = 'success') slots
      cross join lateral (
        select * from release_runs where ${inSlot} and first_at >= $1 and first_at < $2 and earlier_id is not null
      ) run
    ) rollback
    full join (
      select service, environment, ended_id as id, last_id as failure_id
      from failed where ended_at >= $1 and ended_at < $2 and ended_at - last_at <= interval '24 hours'
    ) restored using (service, environment, id)
  )`;

/** `successes`: those in the window in each of `slots`. */
const successes = `
  select slots.service, slots.environment, success.*
  from slots
  cross join lateral (
    select happened_at, id, release from ${eventsWith('success')}
  ) success
  where slots.status = 'success'`;

type Slot = StabilityCounts['worst'][number];

const worstFirst = 'rework desc, rollbacks desc, service, environment';

/** Counts the successes of single slots only where rework is listed. All successes come from the hourly counts. */
export async function readStability(queries: Queries, selection: Selection): Promise<StabilityCounts> {
  const [from, , to] = instantsOf(selection.window);
  const inScope = within(selection.scope, 'slot', 4);
  const rows = await queries.query<Slot & { readonly all_rollbacks: number; readonly all_rework: number }>({
    text: `
      with ${repairs(inScope.text)}, worst as (
        select service, environment, count(earlier_id)::float8 as rollbacks, count(*)::float8 as rework,
          sum(count(earlier_id)) over ()::float8 as all_rollbacks, sum(count(*)) over ()::float8 as all_rework
        from repairs group by service, environment
        order by ${worstFirst} limit 10
      )
      select slots.*, (select count(*)::float8 from ${eventsWith('success')}) as successes
      from worst slots order by ${worstFirst}`,
    values: [from, to, selection.below, ...inScope.values],
  });
  const statuses = await countByStatus(queries, selection);
  return {
    rollbacks: rows[0]?.all_rollbacks ?? 0,
    rework: rows[0]?.all_rework ?? 0,
    successes: statuses.find(({ status }) => status === 'success')?.count ?? 0,
    worst: rows.map(({ all_rollbacks, all_rework, ...slot }) => slot),
  };
}

/** All successes; a rollback has the success that it replaced and the earlier success of its release. */
export function rollbackItems(selection: Selection): Items {
  return successItems(selection, {
    isCounted: 'earlier_id is not null',
    reason: `case when release is null then 'no-release' else 'no-rollback' end`,
    others: `array[${replaced}, earlier_id]`,
  });
}

/** All successes; rework has the failure before it and, if it is a rollback, the rows of the rollback. */
export function reworkItems(selection: Selection): Items {
  return successItems(selection, {
    isCounted: 'coalesce(earlier_id, failure_id) is not null',
    reason: `'no-rework'`,
    others: `array[failure_id, ${replaced}, earlier_id]`,
  });
}

/** The last success of the release before, if the row in `page` is a rollback. */
const replaced = `(
  select last_id from release_runs
  where page.earlier_id is not null and service = page.service and environment = page.environment
    and (first_at, first_id) < (page.at, page.id) order by first_at desc, first_id desc limit 1)`;

function successItems(
  { window, scope, below }: Selection,
  { isCounted, reason, others }: { isCounted: string; reason: string; others: string },
): Items {
  const [from, , to] = instantsOf(window);
  const inScope = within(scope, 'slot', 4);
  return {
    ctes: `${repairs(inScope.text)}, items as (
      select happened_at as at, success.id, null as part, case when ${isCounted} then 1::float8 end as value,
        ${isCounted} as counted, case when not (${isCounted}) then ${reason} end as reason,
        success.service, success.environment, failure_id, earlier_id
      from (${successes}) success left join repairs using (id)
    )`,
    others,
    values: [from, to, below, ...inScope.values],
  };
}
