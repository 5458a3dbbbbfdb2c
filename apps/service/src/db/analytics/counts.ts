import type { Status } from '@shiplog/contract';
import type { Window } from '../../domain/analytics-window.ts';
import type { TerminalCount } from '../../domain/kpi.ts';
import type { Queries } from '../database.ts';
import { hoursOf } from './span.ts';

/** Successes and failures of each UTC day, a day that the halves share in two parts. Days without any are absent. */
export async function countTerminal(queries: Queries, window: Window): Promise<TerminalCount[]> {
  const [from, middle, to] = hoursOf(window);
  return queries.query<TerminalCount>(
    {
      name: 'count-terminal',
      text: `
        select hour / 24 as day, hour < $2 as prior,
          coalesce(sum(rows) filter (where name = 'success'), 0)::float8 as success,
          coalesce(sum(rows) filter (where name = 'failure'), 0)::float8 as failure
        from hourly_counts
        where dimension = 'status' and hour >= $1 and hour < $3 and name in ('success', 'failure')
        group by 1, 2`,
    },
    [from, middle, to],
  );
}

/** Rows of each status; one that no row has is absent. */
export async function countByStatus(queries: Queries, window: Window): Promise<{ status: Status; count: number }[]> {
  const [from, , to] = hoursOf(window);
  return queries.query<{ status: Status; count: number }>(
    {
      name: 'count-by-status',
      text: `
        select name as status, sum(rows)::float8 as count from hourly_counts
        where dimension = 'status' and hour >= $1 and hour < $2 group by name`,
    },
    [from, to],
  );
}

/** Rows by day of week (0 is Sunday) and hour of day in UTC, in that order; empty cells are absent. */
export async function countByHourOfWeek(
  queries: Queries,
  window: Window,
): Promise<{ day_of_week: number; hour: number; count: number }[]> {
  const [from, , to] = hoursOf(window);
  return queries.query<{ day_of_week: number; hour: number; count: number }>(
    {
      name: 'count-by-hour-of-week',
      // 1970 began on a Thursday.
      text: `
        select (hour / 24 + 4) % 7 as day_of_week, hour % 24 as hour, sum(rows)::float8 as count
        from hourly_counts
        where dimension = 'status' and hour >= $1 and hour < $2 group by 1, 2 order by 1, 2`,
    },
    [from, to],
  );
}

/** The actors with the most rows; equal ones by name (reading 5.9). */
export async function countByActor(
  queries: Queries,
  window: Window,
  limit: number,
): Promise<{ actor: string; count: number }[]> {
  const [from, , to] = hoursOf(window);
  return queries.query<{ actor: string; count: number }>(
    {
      name: 'count-by-actor',
      text: `
        select name as actor, sum(rows)::float8 as count from hourly_counts
        where dimension = 'actor' and hour >= $1 and hour < $2
        group by name order by sum(rows) desc, name limit $3`,
    },
    [from, to, limit],
  );
}
