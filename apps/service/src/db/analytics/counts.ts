import { type Status, unknownActor } from '@shiplog/contract';
import type { TerminalCount } from '../../domain/kpi.ts';
import type { Selection } from '../../domain/scope.ts';
import type { Queries } from '../database.ts';
import { hourMs, hoursOf, instantsOf, within } from './span.ts';

/** Successes and failures of each UTC day, a day that the halves share in two parts. Days without any are absent. */
export async function countTerminal(queries: Queries, selection: Selection): Promise<TerminalCount[]> {
  return counted<TerminalCount>(queries, selection, {
    name: 'count-terminal',
    dimension: 'status',
    text: (counts) => `
      select hour / 24 as day, hour < $3 as prior,
        coalesce(sum(rows) filter (where name = 'success'), 0)::float8 as success,
        coalesce(sum(rows) filter (where name = 'failure'), 0)::float8 as failure
      from ${counts} where name in ('success', 'failure')
      group by 1, 2`,
    values: [Math.floor(selection.window.middle / hourMs)],
  });
}

/** Rows of each status; one that no row has is absent. */
export async function countByStatus(
  queries: Queries,
  selection: Selection,
): Promise<{ status: Status; count: number }[]> {
  return counted<{ status: Status; count: number }>(queries, selection, {
    name: 'count-by-status',
    dimension: 'status',
    text: (counts) => `select name as status, sum(rows)::float8 as count from ${counts} group by name`,
  });
}

/** Rows by day of week (0 is Sunday) and hour of day in UTC, in that order; empty cells are absent. */
export async function countByHourOfWeek(
  queries: Queries,
  selection: Selection,
): Promise<{ day_of_week: number; hour: number; count: number }[]> {
  return counted<{ day_of_week: number; hour: number; count: number }>(queries, selection, {
    name: 'count-by-hour-of-week',
    dimension: 'status',
    // 1970 began on a Thursday.
    text: (counts) => `
      select (hour / 24 + 4) % 7 as day_of_week, hour % 24 as hour, sum(rows)::float8 as count
      from ${counts} group by 1, 2 order by 1, 2`,
  });
}

/** The actors with the most rows; equal ones by name (reading 5.9). */
export async function countByActor(
  queries: Queries,
  selection: Selection,
  limit: number,
): Promise<{ actor: string; count: number }[]> {
  return counted<{ actor: string; count: number }>(queries, selection, {
    name: 'count-by-actor',
    dimension: 'actor',
    text: (counts) => `
      select name as actor, sum(rows)::float8 as count from ${counts}
      group by name order by sum(rows) desc, name limit $3`,
    values: [limit],
  });
}

interface Count {
  readonly name: string;
  readonly dimension: 'status' | 'actor';
  /**
   * The statement over a relation of counts: `hour` since 1970, `name` of the dimension, `rows`. Its values begin with
   * `$3`, behind the bounds of the window.
   */
  readonly text: (counts: string) => string;
  readonly values?: readonly unknown[];
}

/**
 * Asks a statement over counts: those that the append keeps by hour, where the selection is whole hours of everything,
 * otherwise those of the rows themselves.
 */
async function counted<Row extends object>(
  queries: Queries,
  { window, scope }: Selection,
  { name, dimension, text, values = [] }: Count,
): Promise<Row[]> {
  const hours = scope ? undefined : hoursOf(window);
  if (hours) {
    const kept = `(select hour, name, rows from hourly_counts
      where dimension = '${dimension}' and hour >= $1 and hour < $2) counts`;
    return queries.query<Row>({ name, text: text(kept) }, [...hours, ...values]);
  }
  const [from, , to] = instantsOf(window);
  const place = within(scope, 'slot', 3 + values.length);
  const rows = `(
    select hour_of(row.happened_at) as hour, ${nameOf[dimension]} as name, 1 as rows
    from (select service, environment, status from latest_deployments slot where true ${place.text}) slot
    cross join lateral (
      select happened_at, event from deployments
      where service = slot.service and environment = slot.environment and status = slot.status
        and happened_at >= $1::timestamptz and happened_at < $2::timestamptz
    ) row) counts`;
  return queries.query<Row>({ text: text(rows) }, [from, to, ...values, ...place.values]);
}

const nameOf = {
  status: 'slot.status',
  actor: `coalesce(nullif(row.event::json ->> 'actor', ''), '${unknownActor}')`,
};
