import type { Scope } from '../../domain/scope.ts';
import { within } from '../analytics/span.ts';
import { oneRow, type Queries } from '../database.ts';

/** The distinct names in a scope. */
export function readNames(queries: Queries, scope: Scope | undefined) {
  const inScope = within(scope, 'slot', 1);
  return oneRow<{ services: string[]; environments: string[] }>(queries, {
    text: `
      with slots as (select service, environment from latest_deployments slot where true ${inScope.text})
      select array(select distinct service from slots) as services,
        array(select distinct environment from slots) as environments`,
    values: inScope.values,
  });
}
