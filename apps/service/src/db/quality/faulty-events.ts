import type { Arrivals } from '../../domain/reporter.ts';
import type { Scope } from '../../domain/scope.ts';
import { within } from '../analytics/span.ts';
import type { Queries } from '../database.ts';
import { countBySlot, type SlotCount, slotCounter } from './slots.ts';

const counterOf = (kind: 'future' | 'duplicate') =>
  slotCounter(
    'faulty_events',
    (inScope) => `select service, environment, happened_at, id from faulty_events where kind = '${kind}' ${inScope}`,
  );

/** Events dated more than 5 minutes after they arrived (questions.md 10.2, `future`). */
export const countFuture = counterOf('future');

/** Events that repeat a deployment status in the same place within 10 minutes (questions.md 10.2, `duplicate`). */
export const countDuplicates = counterOf('duplicate');

export interface LateCount extends SlotCount {
  /** How many of the events happened before the first event of their reporter arrived; absent if none. */
  readonly before_reporter?: number;
}

/** Events of these reporters that arrived more than 24 hours after they happened (questions.md 10.2, `late`). */
export async function countLate(
  queries: Queries,
  scope: Scope | undefined,
  prompt: readonly Pick<Arrivals, 'reporter' | 'first_id'>[],
): Promise<LateCount[]> {
  const inScope = within(scope, 'faulty_events', 3);
  const rows = `
    select service, environment, happened_at, id, arrival_lag(first_id, happened_at) > 0 as is_history
    from faulty_events join unnest($1::text[], $2::uuid[]) as prompt (name, first_id) on name is not distinct from reporter
    where kind = 'late' ${inScope.text}`;
  const values = [prompt.map(({ reporter }) => reporter), prompt.map(({ first_id }) => first_id), ...inScope.values];
  const counts = await countBySlot<{ before_reporter: number }>(queries, rows, values, {
    counts: 'count(*) filter (where is_history)::float8 as before_reporter,',
  });
  return counts.map(({ before_reporter, ...count }) => (before_reporter > 0 ? { ...count, before_reporter } : count));
}

/** Events that arrived at least an hour ago and name an unknown parent (questions.md 10.2, `unknown-parent`). */
export const countUnknownParents = slotCounter(
  'unknown_parents',
  (inScope) => `
    select distinct service, environment, happened_at, id from unknown_parents
    where id < log_floor(now() - interval '1 hour') ${inScope}`,
);
