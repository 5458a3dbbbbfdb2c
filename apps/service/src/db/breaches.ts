import type { BegunDeployment } from '../domain/holds.ts';
import type { Scope } from '../domain/scope.ts';
import { within } from './analytics/span.ts';
import type { Queries } from './database.ts';
import { instantText } from './log-mark.ts';

/**
 * The deployments that began within these spans, each in its place (holds.md 2.2, 6.8): with their first `in-progress`
 * row, else with their first terminal one.
 */
export function listBegun(
  queries: Queries,
  spans: readonly { readonly from: string; readonly to: string }[],
  scope: Scope | undefined,
): Promise<BegunDeployment[]> {
  const inScope = within(scope, 'event', 3);
  const same =
    'other.deployment_id = event.deployment_id and other.service = event.service and other.environment = event.environment';
  return queries.query<BegunDeployment>({
    text: `
      select distinct event.id, service, environment, deployment_id, ${instantText('happened_at')} as at,
        event::json ->> 'version' as version, event::json ->> 'sha' as sha
      from unnest($1::timestamptz[], $2::timestamptz[]) as span (begins_at, ends_at)
      join deployments event on happened_at >= span.begins_at and happened_at < span.ends_at
        and status in ('in-progress', 'success', 'failure') ${inScope.text}
      where not exists (
        select from deployments other where ${same} and other.status = 'in-progress'
          and (event.status <> 'in-progress' or (other.happened_at, other.id) < (event.happened_at, event.id))
      ) and (event.status = 'in-progress' or not exists (
        select from deployments other where ${same} and other.status in ('success', 'failure')
          and (other.happened_at, other.id) < (event.happened_at, event.id)
      ))`,
    values: [spans.map(({ from }) => from), spans.map(({ to }) => to), ...inScope.values],
  });
}
