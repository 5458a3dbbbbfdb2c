import { stageStatuses } from '@shiplog/contract';

/**
 * Which of the rows that came later can change a kept answer: for each group of figures a condition on the row `fresh`
 * and the answer `kept`. It may be true where nothing changes, which costs a computation, and is never false where
 * something does. `place` is the condition of the scope on a table; rows that were removed are another matter.
 */
export type Touch = (place: (table: string) => string) => string;

const inWindow = (table: string) => `${table}.happened_at >= kept.from_at and ${table}.happened_at < kept.to_at`;
const sameSlot = (table: string) => `${table}.service = fresh.service and ${table}.environment = fresh.environment`;

/**
 * At the end of a look into an index for each row: without it, the planner, which cannot know how few rows come, reads
 * the whole log or slot instead.
 */
const perRow = 'offset 0';

/** Counts go by the rows of the window alone. */
const counts: Touch = (place) => `${inWindow('fresh')} ${place('fresh')}`;

/** What was there before a row of the window says what it is, however long ago. */
const past: Touch = (place) => `fresh.happened_at < kept.to_at ${place('fresh')}`;

/** A deployment counts by its last row: later rows, earlier ones and those elsewhere matter where it has one here. */
const durations: Touch = (place) => `exists (
  select from deployments row
  where row.deployment_id = fresh.deployment_id and ${inWindow('row')} ${place('row')} ${perRow})`;

/** Any row of a deployment in a slot may begin, split or end one of its runs. */
const stages: Touch = (place) => `true ${place('fresh')} and exists (
  select from deployments row
  where row.deployment_id = fresh.deployment_id and ${sameSlot('row')} and ${inWindow('row')}
    and row.status in ('${stageStatuses.join("', '")}') ${perRow})`;

/** A failure of the window, or a success that is the first one after such a failure, wherever in the log it lies. */
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
 * A row from before the end of the window may be counted, or be the earliest of an ancestor. A later one can only name
 * further parents of an ancestor, and that is either a loose end or has a row from before the end.
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
