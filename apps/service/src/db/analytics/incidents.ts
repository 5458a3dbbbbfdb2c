import type { Medians } from '../../domain/kpi.ts';
import type { Selection } from '../../domain/scope.ts';
import type { Queries } from '../database.ts';
import { instantText } from '../log-mark.ts';
import { countTerminal } from './counts.ts';
import type { Items } from './evidence.ts';
import { readMedians, secondsOf } from './medians.ts';
import { hoursOf, instantsOf, within } from './span.ts';

export interface Incident {
  readonly service: string;
  readonly environment: string;
  /** RFC 3339 in UTC. */
  readonly failed_at: string;
  readonly restored_at: string | null;
  readonly duration_minutes: number | null;
}

/**
 * `failures`: the failures in a window, each with the next success in its slot, wherever in the log that is. Rows of a
 * slot are ordered by (`happened_at`, `id`). The index by slot and status finds each "next success" with one lookup;
 * only slots with failures are read.
 */
export const failures = (from: string, to: string, place: string) => `
  failures as (
    select failure.service, failure.environment, failure.happened_at, failure.id, restored.id as restored_id,
      restored.happened_at as restored_at
    from (select service, environment from latest_deployments latest where status = 'failure' and happened_at >= ${from} ${place}) slot
    cross join lateral (
      select * from deployments
      where service = slot.service and environment = slot.environment and status = 'failure'
        and happened_at >= ${from} and happened_at < ${to}
    ) failure
    left join lateral (
      select id, happened_at from deployments
      where service = failure.service and environment = failure.environment and status = 'success'
        and (happened_at, id) > (failure.happened_at, failure.id)
      order by happened_at, id limit 1
    ) restored on true
  )`;

/** Failures with the same next success are one incident, which starts with the first of them (reading 5.12). */
const incidents = (from: string, to: string, { place, areMany }: { place: string; areMany: boolean }) =>
  areMany
    ? incidentsRead(from, to, place)
    : `${failures(from, to, place)}, incidents as (
        select service, environment, min(happened_at) as failed_at, restored_at
        from failures group by service, environment, restored_id, restored_at
      )`;

/**
 * The same by reading the successes of each slot once: the position of a failure in their list gives the next success.
 * Successes at the exact time of a failure are ordered by id. The end of the last incident is looked up.
 */
const incidentsRead = (from: string, to: string, place: string) => {
  const inSlot = 'service = slot.service and environment = slot.environment';
  const inWindow = `happened_at >= ${from} and happened_at < ${to}`;
  return `
  ended as (
    select slot.service, slot.environment, incident.failed_at, successes.times[incident.before + 1] as restored_at
    from (select service, environment from latest_deployments latest where status = 'failure' and happened_at >= ${from} ${place}) slot
    cross join lateral (
      select coalesce(array_agg(happened_at), '{}') as times from (
        select happened_at from deployments where ${inSlot} and status = 'success' and ${inWindow} order by happened_at
      ) ordered
    ) successes
    cross join lateral (
      select before, min(happened_at) as failed_at from (
        select happened_at, width_bucket(happened_at, successes.times) - case
          when successes.times[width_bucket(happened_at, successes.times)] = happened_at then (
            select count(*) from deployments
            where ${inSlot} and status = 'success' and happened_at = failure.happened_at and id > failure.id)::int
          else 0 end as before
        from deployments failure where ${inSlot} and status = 'failure' and ${inWindow} offset 0
      ) failures
      group by before
    ) incident
  ), incidents as (
    select service, environment, failed_at, coalesce(restored_at, (
      select min(happened_at) from deployments
      where service = ended.service and environment = ended.environment and status = 'success' and happened_at >= ${to}
    )) as restored_at
    from ended
  )`;
};

/** An index lookup takes as long as reading about this many successes. */
const rowsPerLookup = 16;

/** Whether reading all successes is faster than one lookup per failure, judged by the hourly counts. */
async function areMany(queries: Queries, selection: Selection): Promise<boolean> {
  if (selection.scope || !hoursOf(selection.window)) return false;
  const terminal = await countTerminal(queries, selection);
  const total = (status: 'success' | 'failure') => terminal.reduce((sum, count) => sum + count[status], 0);
  return total('failure') * rowsPerLookup > total('success');
}

/** From a failure to the success that ended it; `null` without one. */
export const restoreMinutes = (failedAt: string) => `${secondsOf(`restored_at - ${failedAt}`)} / 60`;
const minutes = restoreMinutes('failed_at');

/** The worst incidents: open ones first, newest first; then the longest. */
export async function listIncidents(
  queries: Queries,
  { window, scope }: Selection,
  limit: number,
): Promise<Incident[]> {
  const [from, , to] = instantsOf(window);
  const place = within(scope, 'latest', 4);
  const how = { place: place.text, areMany: await areMany(queries, { window, scope }) };
  return queries.query<Incident>({
    text: `
      with ${incidents('$1', '$2', how)}
      select service, environment, ${instantText('failed_at')} as failed_at, ${instantText('restored_at')} as restored_at,
        ${minutes} as duration_minutes
      from incidents
      order by incidents.restored_at - incidents.failed_at desc nulls first, incidents.failed_at desc, service, environment
      limit $3`,
    values: [from, to, limit, ...place.values],
  });
}

/** Minutes to restore, by when the incidents started; open ones only set `isOpen`. */
export async function readRestoreMedians(queries: Queries, { window, scope }: Selection): Promise<Medians> {
  const place = within(scope, 'latest', 4);
  const how = { place: place.text, areMany: await areMany(queries, { window, scope }) };
  return readMedians(
    queries,
    `${incidents('$1', '$3', how)}, samples as (
      select failed_at as at, ${minutes} as value from incidents
    )`,
    [...instantsOf(window), ...place.values],
  );
}

/** Each failure. The first one of an incident represents it, with the success that ended it; open incidents count. */
export function incidentItems(selection: Selection): Items {
  return failureItems(selection, 'is_first');
}

/** The same without open incidents. */
export function restoreItems(selection: Selection): Items {
  return failureItems(selection, 'is_first and restored_id is not null');
}

function failureItems({ window, scope }: Selection, isCounted: string): Items {
  const [from, , to] = instantsOf(window);
  const place = within(scope, 'latest', 3);
  return {
    ctes: `${failures('$1', '$2', place.text)}, ordered as (
      select *, row_number() over (
        partition by service, environment, restored_id order by happened_at, id) = 1 as is_first
      from failures
    ), items as (
      select happened_at as at, id, null as part, case when is_first then ${restoreMinutes('happened_at')} end as value,
        ${isCounted} as counted,
        case when not is_first then 'repeated-failure' when restored_id is null then 'open' end as reason,
        case when is_first then restored_id end as restored_id
      from ordered
    )`,
    others: 'array[restored_id]',
    values: [from, to, ...place.values],
  };
}
