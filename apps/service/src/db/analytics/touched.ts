import { stageStatuses } from '@shiplog/contract';

/**
 * Which later rows can change a cached answer: for each group of figures a condition on the new row `fresh` and the
 * answer `kept`. A false positive costs a computation; there must be no false negatives. `place` is the condition of
 * the scope on a table. Removed rows are handled elsewhere.
 */
export type Touch = (place: (table: string) => string) => string;

const inWindow = (table: string) => `${table}.happened_at >= kept.from_at and ${table}.happened_at < kept.to_at`;
const sameSlot = (table: string) => `${table}.service = fresh.service and ${table}.environment = fresh.environment`;

/**
 * Ends an index lookup per row: without it, the planner, which can't know how few rows there are, would read the whole
 * log or slot.
 */
const perRow = 'offset 0';

/** Counts depend only on the rows in the window. */
const counts: Touch = (place) => `${inWindow('fresh')} ${place('fresh')}`;

/** The meaning of a row depends on the rows before it, however old. */
const past: Touch = (place) => `fresh.happened_at < kept.to_at ${place('fresh')}`;

/** A deployment counts by its last row, so any of its rows matters if it has one here. */
const durations: Touch = (place) => `exists (
  select from deployments row
  where row.deployment_id = fresh.deployment_id and ${inWindow('row')} ${place('row')} ${perRow})`;

/** Any row of the same deployment and slot may start, split or end a run. */
const stages: Touch = (place) => `true ${place('fresh')} and exists (
  select from deployments row
  where row.deployment_id = fresh.deployment_id and ${sameSlot('row')} and ${inWindow('row')}
    and row.status in ('${stageStatuses.join("', '")}') ${perRow})`;

/** A failure in the window, or the first success after such a failure, wherever in the log it is. */
const incidents: Touch = (place) => `true ${place('fresh')} and case fresh.status
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
 * to an ancestor, which is either a loose end or has a row before the end.
 */
const leadTimes = `(fresh.happened_at < kept.to_at or coalesce(cardinality(fresh.parents), 0) > 0 and (
  kept.loose_ends is null or fresh.deployment_id = any(kept.loose_ends) or exists (
    select from deployments row where row.deployment_id = fresh.deployment_id and row.happened_at < kept.to_at ${perRow}
  ) and not exists (
    select from deployments row
    where row.deployment_id = fresh.deployment_id and row.id < tick_floor(kept.true_until + 1)
      and row.parents @> fresh.parents ${perRow})))`;

const dora: Touch = (place) => `(${leadTimes} or ${incidents(place)})`;

export const touches = { counts, past, durations, stages, incidents, dora } as const satisfies Record<string, Touch>;
export type Dependence = keyof typeof touches;
