import type { Scope } from '../../domain/scope.ts';
import { within } from '../analytics/span.ts';
import type { Queries } from '../database.ts';
import { countBySlot, type SlotCount } from './slots.ts';

/** Rows that happened more than 5 minutes after they arrived (questions.md 10.2, `future`). */
export async function countAhead(queries: Queries, scope: Scope | undefined): Promise<SlotCount[]> {
  const place = within(scope, 'deployments', 1);
  const rows = `
    select service, environment, happened_at, id from deployments
    where arrival_lag(id, happened_at) < -300000000 ${place.text}`;
  return countBySlot(queries, rows, place.values);
}

/** Rows of these reporters that arrived more than 24 hours after they happened (`late`). */
export async function countLate(
  queries: Queries,
  scope: Scope | undefined,
  reporters: readonly (string | null)[],
): Promise<SlotCount[]> {
  const place = within(scope, 'deployments', 3);
  const rows = `
    select service, environment, happened_at, id from deployments
    where arrival_lag(id, happened_at) > 86400000000
      and (reporter = any($1::text[]) or $2::boolean and reporter is null) ${place.text}`;
  const named = reporters.filter((name) => name !== null);
  return countBySlot(queries, rows, [named, named.length < reporters.length, ...place.values]);
}
