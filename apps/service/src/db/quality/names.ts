import type { Scope } from '../../domain/scope.ts';
import { within } from '../analytics/span.ts';
import { oneRow, type Queries } from '../database.ts';

/** The names used by the rows of a scope. */
export interface LogNames {
  readonly services: readonly string[];
  readonly environments: readonly string[];
}

export async function readNames(queries: Queries, scope: Scope | undefined): Promise<LogNames> {
  const place = within(scope, 'slot', 1);
  const row = await oneRow<LogNames>(queries, {
    text: `
      with slots as (select service, environment from latest_deployments slot where true ${place.text})
      select array(select distinct service from slots) as services,
        array(select distinct environment from slots) as environments`,
    values: place.values,
  });
  return row;
}
