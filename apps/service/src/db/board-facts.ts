import { effectiveStatuses, nilId, type Status } from '@shiplog/contract';
import type { Scope } from '../domain/scope.ts';
import { medianOf } from './analytics/medians.ts';
import { within } from './analytics/span.ts';
import type { Queries } from './database.ts';
import { member } from './log-mark.ts';

interface Place {
  readonly service: string;
  readonly environment: string;
}

const effective = `status in ('${effectiveStatuses.join("', '")}')`;

/** The latest effective event of each place, which is its `current` in the matrix. */
const current = (inScope: string) => `
  select distinct on (service, environment) service, environment, status, happened_at, id
  from latest_deployments latest where ${effective} ${inScope}
  order by service, environment, happened_at desc, id desc`;

export interface OpenPlace extends Place {
  readonly deployment_id: string;
  readonly status: Status;
  /** `happened_at` of the event, as stored. */
  readonly since: string;
}

/** Of these events, one in each place, those that the board has not moved on from (board-facts.md 3.3). */
export function readNotOvertaken(queries: Queries, ids: readonly string[]): Promise<OpenPlace[]> {
  return queries.query<OpenPlace>({
    name: 'events-not-overtaken',
    text: `
      select event.service, event.environment, event.deployment_id, event.status, ${member('happened_at')} as since
      from deployments event left join (${current('')}) current using (service, environment)
      where event.id = any($1::uuid[])
        and (current.id is null or (event.happened_at, event.id) >= (current.happened_at, current.id))`,
    values: [ids],
  });
}

export interface RunningPlace extends Place {
  readonly p50: number | null;
  readonly p95: number | null;
  readonly count: number;
  /** When the deployment started to run, if it has run for longer than `p95`. */
  readonly slowSince: string | null;
}

/**
 * The places with a running deployment: the durations of the last 30 days there, and whether this one takes longer
 * (board-facts.md 3.4 and 3.5).
 */
export function readRunning(queries: Queries, scope: Scope | undefined): Promise<RunningPlace[]> {
  const inScope = within(scope, 'latest', 1);
  return queries.query<RunningPlace>({
    text: `
      with running as materialized (
        select current.*, row.deployment_id from (${current(inScope.text)}) current
        join deployments row on row.id = current.id where current.status = 'in-progress'
      )
      select running.service, running.environment, usual.p50, usual.p95, usual.count,
        case when own.is_last and own.last_id = running.id and extract(epoch from now() - begun.happened_at)::float8 / 60 > usual.p95
          then ${member('happened_at', 'begun.event')} end as "slowSince"
      from running
      join changes own using (deployment_id, service, environment)
      cross join lateral (
        select count(*)::float8 as count, ${medianOf('minutes')} as p50,
          percentile_disc(0.95) within group (order by minutes) as p95
        from changes
        where service = running.service and environment = running.environment and is_last and begun_id <> last_id
          and last_at >= now() - interval '720 hours' and last_at < now()
      ) usual
      cross join lateral (
        select happened_at, event from deployments
        where deployment_id = running.deployment_id and service = running.service
          and environment = running.environment and status = 'in-progress'
          and (happened_at, id) > (
            select coalesce(max(happened_at), '-infinity'), coalesce((array_agg(id order by happened_at desc, id desc))[1], '${nilId}')
            from deployments
            where deployment_id = running.deployment_id and service = running.service
              and environment = running.environment and status <> 'in-progress'
              and (happened_at, id) < (running.happened_at, running.id)
          )
        order by happened_at, id limit 1
      ) begun`,
    values: inScope.values,
  });
}

export interface HiddenPlace extends Place {
  readonly eventJson: string;
}

/** The newest event that arrived after a current event dated in the future, which keeps it off the board (3.7). */
export function readHidden(queries: Queries, scope: Scope | undefined): Promise<HiddenPlace[]> {
  const inScope = within(scope, 'latest', 1);
  return queries.query<HiddenPlace>({
    text: `
      select current.service, current.environment, hidden.event as "eventJson"
      from (${current(`and happened_at > now() + interval '60 seconds' ${inScope.text}`)}) current
      cross join lateral (
        select event from deployments
        where service = current.service and environment = current.environment and id > current.id
          and happened_at < current.happened_at
        order by ${effective} desc, happened_at desc, id desc limit 1
      ) hidden`,
    values: inScope.values,
  });
}

/** The environments in which each service has a success, the one with the latest success first. */
export function listSuccesses(queries: Queries, scope: Scope | undefined): Promise<Place[]> {
  const inScope = within(scope && { ...scope, environments: undefined }, 'latest', 1);
  return queries.query<Place>({
    text: `
      select service, environment from latest_deployments latest where status = 'success' ${inScope.text}
      order by service, happened_at desc, id desc`,
    values: inScope.values,
  });
}
