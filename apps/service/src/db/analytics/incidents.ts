import type { Medians } from '../../domain/kpi.ts';
import type { Selection } from '../../domain/scope.ts';
import type { Queries } from '../database.ts';
import { instantText } from '../log-mark.ts';
import { countTerminal } from './counts.ts';
import type { Items } from './evidence.ts';
import { readMedians, secondsOf } from './medians.ts';
import { hoursOf, instantsOf, within } from './span.ts';

interface Incident {
  readonly service: string;
  readonly environment: string;
  /** RFC 3339 in UTC. */
  readonly failed_at: string;
  readonly restored_at: string | null;
  readonly duration_minutes: number | null;
}

/** `failures`: the failures in a window, each with the next success in its slot, found with one index lookup. */
const failures = (from: string, to: string, inScope: string) => `
  failures as (
    select failure.service, failure.environment, failure.happened_at, failure.id, restored.id as restored_id,
      restored.happened_at as restored_at
    from (select service, environment from latest_deployments latest where status = 'failure' and happened_at >= ${from} ${inScope}) slot
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
const incidents = (from: string, to: string, { inScope, areMany }: { inScope: string; areMany: boolean }) =>
  areMany
    ? incidentsRead(from, to, inScope)
    : `${failures(from, to, inScope)}, incidents as (
        select service, environment, min(happened_at) as failed_at, restored_at
        from failures group by service, environment, restored_id, restored_at
      )`;

/**
 * Finds the same incidents by reading the successes of each slot once: the position of a failure in their list gives
 * the next success. Ties are ordered by id. The end of the last incident is looked up.
 */
const incidentsRead = (from: string, to: string, inScope: string) => {
  const inSlot = 'service = slot.service and environment = slot.environment';
  const inWindow = `happened_at >= ${from} and happened_at < ${to}`;
  return `
  ended as (
    select slot.service, slot.environment, incident.failed_at, successes.times[incident.before + 1] as restored_at
    from (select service, environment from latest_deployments latest where status = 'failure' and happened_at >= ${from} ${inScope}) slot
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

/** Whether reading all successes is faster than one lookup per failure. */
async function areMany(queries: Queries, selection: Selection): Promise<boolean> {
  if (selection.scope || !hoursOf(selection.window)) return false;
  const terminal = await countTerminal(queries, selection);
  const total = (status: 'success' | 'failure') => terminal.reduce((sum, count) => sum + count[status], 0);
  return total('failure') * rowsPerLookup > total('success');
}

/** From the first failure to the success that ended the incident; null while it is open. */
const restoreMinutes = (failedAt: string) => `${secondsOf(`restored_at - ${failedAt}`)} / 60`;
const minutes = restoreMinutes('failed_at');

/** Open incidents first, newest first; then the longest. */
export async function listIncidents(queries: Queries, selection: Selection, limit: number): Promise<Incident[]> {
  const [from, , to] = instantsOf(selection.window);
  const inScope = within(selection.scope, 'latest', 4);
  const conditions = { inScope: inScope.text, areMany: await areMany(queries, selection) };
  return queries.query<Incident>({
    text: `
      with ${incidents('$1', '$2', conditions)}
      select service, environment, ${instantText('failed_at')} as failed_at, ${instantText('restored_at')} as restored_at,
        ${minutes} as duration_minutes
      from incidents
      order by incidents.restored_at - incidents.failed_at desc nulls first, incidents.failed_at desc, service, environment
      limit $3`,
    values: [from, to, limit, ...inScope.values],
  });
}

/** Minutes to restore, by the start of the incidents. Open ones only set `isOpen`. */
export async function readRestoreMedians(queries: Queries, selection: Selection): Promise<Medians> {
  const inScope = within(selection.scope, 'latest', 4);
  const conditions = { inScope: inScope.text, areMany: await areMany(queries, selection) };
  return readMedians(
    queries,
    `${incidents('$1', '$3', conditions)}, samples as (
      select failed_at as at, ${minutes} as value from incidents
    )`,
    [...instantsOf(selection.window), ...inScope.values],
  );
}

/** Each failure. Only the first one of an incident counts, with the success that ended it; open incidents count. */
export function incidentItems(selection: Selection): Items {
  return failureItems(selection, 'is_first');
}

/** Like `incidentItems`, but open incidents don't count. */
export function restoreItems(selection: Selection): Items {
  return failureItems(selection, 'is_first and restored_id is not null');
}

function failureItems({ window, scope }: Selection, isCounted: string): Items {
  const [from, , to] = instantsOf(window);
  const inScope = within(scope, 'latest', 3);
  return {
    ctes: `${failures('$1', '$2', inScope.text)}, ordered as (
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
    values: [from, to, ...inScope.values],
  };
}
