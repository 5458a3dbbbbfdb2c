import type { BegunDeployment, HeldRange } from '../domain/holds.ts';
import type { Scope } from '../domain/scope.ts';
import { within } from './analytics/span.ts';
import type { Queries } from './database.ts';
import { instantText } from './log-mark.ts';

/**
 * The deployments that began within these ranges (holds.md 2.2, 6.8): with their first `in-progress` row, else with
 * their first terminal one.
 */
export function listBegun(
  queries: Queries,
  ranges: readonly HeldRange[],
  scope: Scope | undefined,
): Promise<BegunDeployment[]> {
  const inScope = within(scope, 'event', 5);
  const same =
    'other.deployment_id = event.deployment_id and other.service = event.service and other.environment = event.environment';
  return queries.query<BegunDeployment>({
    text: `
      with held as materialized (
        select * from unnest($1::text[], $2::text[], $3::timestamptz[], $4::timestamptz[])
          as range (service, environment, begins_at, ends_at)
        cross join unnest(array['in-progress', 'success', 'failure']) as status
      )
      select distinct event.id, service, environment, deployment_id, ${instantText('happened_at')} as at,
        event::json ->> 'version' as version, event::json ->> 'sha' as sha
      from (
        ${rowsIn(['service', 'environment', 'status'], 'held.service is not null')}
        union all
        ${rowsIn(['environment', 'status'], 'held.service is null')}
      ) event
      where true ${inScope.text} and not exists (
        select from deployments other where ${same} and other.status = 'in-progress'
          and (event.status <> 'in-progress' or (other.happened_at, other.id) < (event.happened_at, event.id)) offset 0
      ) and (event.status = 'in-progress' or not exists (
        select from deployments other where ${same} and other.status in ('success', 'failure')
          and (other.happened_at, other.id) < (event.happened_at, event.id) offset 0
      ))`,
    values: [
      ...[ranges.map(({ service }) => service), ranges.map(({ environment }) => environment)],
      ...[ranges.map(({ from }) => from), ranges.map(({ to }) => to)],
      ...inScope.values,
    ],
  });
}

/**
 * The rows of `held`, read from the index that begins with these columns. With a plain condition on the time, the planner
 * would read the log by time, because it underestimates ranges that it doesn't know. `offset 0` prevents a join with the
 * whole log.
 */
function rowsIn(columns: readonly string[], which: string): string {
  const is = columns.map((column) => `${column} = held.${column}`).join(' and ');
  const [row, held] = [columns.join(', '), columns.map((column) => `held.${column}`).join(', ')];
  return `select row.* from held cross join lateral (
          select * from deployments
          where ${is} and (${row}, happened_at) >= (${held}, begins_at) and (${row}, happened_at) < (${held}, ends_at)
          offset 0
        ) row where ${which}`;
}
