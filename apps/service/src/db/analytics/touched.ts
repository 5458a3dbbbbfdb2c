import { stageStatuses } from '@shiplog/contract';

/**
 * The new rows that can change a cached answer: a condition on the new row `fresh` and the answer `kept`. A false
 * positive costs a computation; there must be no false negatives.
 */
type Touch = (inScope: (table: string) => string) => string;

const inWindow = (table: string) => `${table}.happened_at >= kept.from_at and ${table}.happened_at < kept.to_at`;
const sameSlot = (table: string) => `${table}.service = fresh.service and ${table}.environment = fresh.environment`;

/** Otherwise the planner would read the whole log or slot, because it can't know how few rows match. */
const perRow = 'offset 0';

const counts: Touch = (inScope) => `${inWindow('fresh')} ${inScope('fresh')}`;

/** An older row of a slot can change what the later rows mean. */
const past: Touch = (inScope) => `fresh.happened_at < kept.to_at ${inScope('fresh')}`;

/** A deployment counts by its last row, so each of its rows matters if one is in the window. */
const durations: Touch = (inScope) => `exists (
  select from deployments row
  where row.deployment_id = fresh.deployment_id and ${inWindow('row')} ${inScope('row')} ${perRow})`;

/** Any row of the same deployment and slot may start, split or end a run. */
const stages: Touch = (inScope) => `true ${inScope('fresh')} and exists (
  select from deployments row
  where row.deployment_id = fresh.deployment_id and ${sameSlot('row')} and ${inWindow('row')}
    and row.status in ('${stageStatuses.join("', '")}') ${perRow})`;

/** A failure in the window, or the first success after such a failure. */
const incidents: Touch = (inScope) => `true ${inScope('fresh')} and case fresh.status
  when 'failure' then ${inWindow('fresh')}
  when 'success' then exists (
    select from (
      select row.happened_at, row.id from deployments row
      where ${sameSlot('row')} and row.status = 'failure' and ${inWindow('row')}
        and (row.happened_at, row.id) < (fresh.happened_at, fresh.id)
      order by row.happened_at desc, row.id desc limit 1
    ) failure
    where not exists (
      select from deployments row
      where ${sameSlot('row')} and row.status = 'success'
        and (row.happened_at, row.id) > (failure.happened_at, failure.id)
        and (row.happened_at, row.id) < (fresh.happened_at, fresh.id) ${perRow}))
  else false end`;

/**
 * A row before the end of the window may count, or be the earliest row of an ancestor. A later row can only add parents
 * to an ancestor: a loose end, or a deployment with a row before the end.
 */
const leadTimes = `(fresh.happened_at < kept.to_at or coalesce(cardinality(fresh.parents), 0) > 0 and (
  kept.loose_ends is null or fresh.deployment_id = any(kept.loose_ends) or exists (
    select from deployments row where row.deployment_id = fresh.deployment_id and row.happened_at < kept.to_at ${perRow}
  ) and not exists (
    select from deployments row
    where row.deployment_id = fresh.deployment_id and row.id < tick_floor(kept.true_until + 1)
      and row.parents @> fresh.parents ${perRow})))`;

const dora: Touch = (inScope) => `(${leadTimes} or ${incidents(inScope)})`;

export const touches = { counts, past, durations, stages, incidents, dora } as const satisfies Record<string, Touch>;
export type Dependence = keyof typeof touches;
