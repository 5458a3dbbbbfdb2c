import type { Medians } from '../../domain/kpi.ts';
import type { Selection } from '../../domain/scope.ts';
import type { Queries } from '../database.ts';
import { instantText } from '../log-mark.ts';
import type { Items } from './evidence.ts';
import { readMedians, secondsOf } from './medians.ts';
import { eventsWith, inSlot, instantsOf, slotsWith, within } from './span.ts';

interface Incident {
  readonly service: string;
  readonly environment: string;
  /** RFC 3339 in UTC. */
  readonly failed_at: string;
  readonly restored_at: string | null;
  readonly duration_minutes: number | null;
}

const run = 'first_at, last_at, last_id, ended_at, ended_id';

/** `failed`: the runs of failures in `slots` that began from `$1` to `to`, and the one before if it lasted until `$1`. */
export const failedRuns = (to: string) => `
  failed as (
    select slots.service, slots.environment, run.*
    from (select distinct service, environment from slots) slots
    cross join lateral (
      (select ${run} from outcome_runs where ${inSlot} and status = 'failure' and first_at < $1
       order by first_at desc, first_id desc limit 1)
      union all
      select ${run} from outcome_runs where ${inSlot} and status = 'failure' and first_at >= $1 and first_at < ${to}
    ) run
    where first_at >= $1 or ended_at is null or ended_at >= $1
  )`;

interface Bounds {
  /** The placeholders of the end of the window and of `Selection.below`. */
  readonly to: string;
  readonly below: string;
  /** The condition of the scope. */
  readonly inScope: string;
}

/**
 * `incidents`: consecutive failures with no success between them count as one incident, which starts at the first
 * failure in the window (reading 5.12).
 */
const incidents = ({ to, below, inScope }: Bounds) => `
  ${slotsWith(`status = 'failure'`, inScope)}, ${failedRuns(to)}, incidents as (
    select * from (
      select service, environment, ended_at as restored_at, case when first_at >= $1 then first_at else (
          select happened_at from deployments
          where service = failed.service and environment = failed.environment and status = 'failure'
            and happened_at >= $1 and happened_at < ${to} and id < ${below}
          order by happened_at limit 1
        ) end as failed_at
      from failed where last_at >= $1
    ) begun where failed_at is not null
  )`;

/** From the first failure to the success that ended the incident; null while it is open. */
const restoreMinutes = (failedAt: string) => `${secondsOf(`restored_at - ${failedAt}`)} / 60`;
const minutes = restoreMinutes('failed_at');

/** Open incidents first, newest first; then the longest. */
export async function listIncidents(queries: Queries, selection: Selection, limit: number): Promise<Incident[]> {
  const [from, , to] = instantsOf(selection.window);
  const inScope = within(selection.scope, 'slot', 5);
  return queries.query<Incident>({
    text: `
      with ${incidents({ to: '$2', below: '$3', inScope: inScope.text })}
      select service, environment, ${instantText('failed_at')} as failed_at, ${instantText('restored_at')} as restored_at,
        ${minutes} as duration_minutes
      from incidents
      order by incidents.restored_at - incidents.failed_at desc nulls first, incidents.failed_at desc, service, environment
      limit $4`,
    values: [from, to, selection.below, limit, ...inScope.values],
  });
}

/** Minutes to restore, by the start of the incidents. */
export async function readRestoreMedians(queries: Queries, selection: Selection): Promise<Medians> {
  const inScope = within(selection.scope, 'slot', 5);
  return readMedians(
    queries,
    `${incidents({ to: '$3', below: '$4', inScope: inScope.text })}, samples as (
      select failed_at as at, ${minutes} as value from incidents
    )`,
    [...instantsOf(selection.window), selection.below, ...inScope.values],
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

function failureItems({ window, scope, below }: Selection, isCounted: string): Items {
  const [from, , to] = instantsOf(window);
  const inScope = within(scope, 'slot', 4);
  return {
    ctes: `${slotsWith(`status = 'failure'`, inScope.text)}, failures as (
      select slots.service, slots.environment, failure.*, run.ended_id as restored_id, run.ended_at as restored_at
      from slots
      cross join lateral (
        select happened_at, id from ${eventsWith('failure')}
      ) failure
      cross join lateral (
        select ended_at, ended_id from outcome_runs
        where ${inSlot} and (first_at, first_id) <= (failure.happened_at, failure.id)
        order by first_at desc, first_id desc limit 1
      ) run
    ), ordered as (
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
    values: [from, to, below, ...inScope.values],
  };
}
