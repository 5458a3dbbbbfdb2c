import type { Arrivals } from '../../domain/reporter.ts';
import type { Scope } from '../../domain/scope.ts';
import { within } from '../analytics/span.ts';
import type { Queries } from '../database.ts';
import { countBySlot, type SlotCount } from './slots.ts';

export interface LateCount extends SlotCount {
  /** How many of the rows happened before the first row of their reporter arrived; absent if none. */
  readonly before_reporter?: number;
}

/** The accepted delay in microseconds: from 5 minutes early to 24 hours late. */
const [lagMin, lagMax] = [-300_000_000, 86_400_000_000];
const lag = 'arrival_lag(id, happened_at)';
/** Computes the delay, the most expensive part, only once per row. */
const isOutside = `abs(${lag} - ${(lagMin + lagMax) / 2}) > ${(lagMax - lagMin) / 2}`;

/**
 * Rows that happened more than 5 minutes after they arrived (questions.md 10.2, `future`), and rows of these reporters
 * that arrived more than 24 hours after they happened (`late`), in one pass.
 */
export async function countMisdated(
  queries: Queries,
  scope: Scope | undefined,
  reporters: readonly Pick<Arrivals, 'reporter' | 'first_id'>[],
): Promise<{ future: SlotCount[]; late: LateCount[] }> {
  const inScope = within(scope, 'deployments', 4);
  const rows = `
    select ${lag} < 0 as is_ahead, service, environment, happened_at, id,
      arrival_lag(case when reporter is null then $3::uuid else first_id end, happened_at) > 0 as is_history
    from deployments left join unnest($1::text[], $2::uuid[]) as prompt (name, first_id) on name = reporter
    where ${isOutside} and (${lag} < 0 or name is not null or $3 is not null and reporter is null) ${inScope.text}`;
  const named = reporters.filter(({ reporter }) => reporter !== null);
  const unnamed = reporters.find(({ reporter }) => reporter === null);
  const values = [
    named.map(({ reporter }) => reporter),
    named.map(({ first_id }) => first_id),
    unnamed?.first_id ?? null,
    ...inScope.values,
  ];
  const counts = await countBySlot<{ is_ahead: boolean; before_reporter: number }>(queries, rows, values, {
    by: 'is_ahead,',
    counts: 'count(*) filter (where is_history)::float8 as before_reporter,',
  });
  const future: SlotCount[] = [];
  const late: LateCount[] = [];
  for (const { is_ahead, before_reporter, ...count } of counts) {
    if (is_ahead) future.push(count);
    else late.push(before_reporter > 0 ? { ...count, before_reporter } : count);
  }
  return { future, late };
}
