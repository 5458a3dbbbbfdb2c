import type { Scope } from '../../domain/scope.ts';
import { within } from '../analytics/span.ts';
import type { Queries } from '../database.ts';
import { countBySlot, type SlotCount } from './slots.ts';

export interface Misdated {
  readonly future: readonly SlotCount[];
  readonly late: readonly SlotCount[];
}

/** How long after it happened a row may arrive, in microseconds: from 5 minutes before to 24 hours. */
const [lagMin, lagMax] = [-300_000_000, 86_400_000_000];
const lag = 'arrival_lag(id, happened_at)';
/** Told with one look at the arrival of a row, which costs more than all else. */
const isOutside = `abs(${lag} - ${(lagMin + lagMax) / 2}) > ${(lagMax - lagMin) / 2}`;

/**
 * Rows that happened more than 5 minutes after they arrived (questions.md 10.2, `future`), and those of these reporters
 * that arrived more than 24 hours after they happened (`late`), in one pass.
 */
export async function countMisdated(
  queries: Queries,
  scope: Scope | undefined,
  reporters: readonly (string | null)[],
): Promise<Misdated> {
  const place = within(scope, 'deployments', 3);
  const rows = `
    select ${lag} < 0 as is_ahead, service, environment, happened_at, id from deployments
    where ${isOutside} and (${lag} < 0 or reporter = any($1::text[]) or $2::boolean and reporter is null) ${place.text}`;
  const named = reporters.filter((name) => name !== null);
  const values = [named, named.length < reporters.length, ...place.values];
  const counts = await countBySlot<{ is_ahead: boolean }>(queries, rows, values, 'is_ahead,');
  const those = (ahead: boolean) =>
    counts.filter((one) => one.is_ahead === ahead).map(({ is_ahead: _, ...count }) => count);
  return { future: those(true), late: those(false) };
}
