import type { Scope } from '../../domain/scope.ts';
import { within } from '../analytics/span.ts';
import type { Queries } from '../database.ts';
import { countBySlot, slotCounter } from './slots.ts';

/** Findings about proofs cover events that arrived since then. */
const since = `log_floor(now() - interval '30 days')`;

/** Events that contradict the token with which they were posted (access.md 4.2, `contradicted`). */
export const countContradicted = slotCounter(
  'deployments',
  (inScope) => `
    select service, environment, happened_at, id from deployments
    where proof like '{"contradicts":true%' and id >= ${since} ${inScope}`,
);

/**
 * Events in these environments that were posted with the shared key (access.md 4.2, `unproven`). Environment names are
 * compared case-insensitively. Reads the events of the environments' slots.
 */
export function countUnproven(queries: Queries, scope: Scope | undefined, environments: readonly string[]) {
  const { text: inScope, values } = within(scope, 'slots', 2);
  const rows = `
    select event.service, event.environment, happened_at, id from slots
    join deployments event using (service, environment)
    where lower(slots.environment) = any($1::text[]) and proof is null ${inScope}
      and id >= greatest(${since}, (select tick_floor(proven_after + 1) from log_heads where log = 'deployments'))`;
  return countBySlot(queries, rows, [environments.map((name) => name.toLowerCase()), ...values]);
}
