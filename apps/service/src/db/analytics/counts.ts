import { type Status, unknownActor } from '@shiplog/contract';
import type { TerminalCount } from '../../domain/kpi.ts';
import type { Scope, Selection } from '../../domain/scope.ts';
import type { Queries } from '../database.ts';
import { type Evidence, keyset, type PageRequest, readPage } from './evidence.ts';
import { hourMs, hoursOf, instantsOf, within } from './span.ts';

/** Successes and failures per UTC day; a day that belongs to both halves has two rows. Days without any are absent. */
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

/** Rows per status; a status without rows is absent. */
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

/** The actors with the most rows, ties by name (reading 5.9). */
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
   * The statement over a relation of counts: `hour` since 1970, `name` of the dimension, `rows`. Its values start at
   * `$3`, after the bounds of the window.
   */
  readonly text: (counts: string) => string;
  readonly values?: readonly unknown[];
}

/**
 * Runs a statement over counts: over the hourly counts if the selection is whole hours without a scope, otherwise over
 * the rows themselves.
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
    return queries.query<Row>({ name, text: text(kept), values: [...hours, ...values] });
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
  return queries.query<Row>({ text: text(rows), values: [from, to, ...values, ...place.values] });
}

const nameOf = {
  status: 'slot.status',
  actor: `coalesce(nullif(row.event::json ->> 'actor', ''), '${unknownActor}')`,
};

const isTerminal = `status in ('success', 'failure')`;

/**
 * A page of the rows in a window; those with success or failure count. The totals come from the hourly counts; the page
 * is the newest rows of the selected index ranges, so it costs the same however deep it is.
 */
export async function readRowEvidence(
  queries: Queries,
  selection: Selection,
  { value, page }: { readonly value: 'one' | 'failed'; readonly page: PageRequest },
): Promise<Evidence> {
  const [from, , to] = instantsOf(selection.window);
  const keys = keyset(page, 3, 'happened_at');
  const place = within(selection.scope, 'latest', 3 + keys.values.length);
  const one = value === 'one' ? '1' : `case status when 'failure' then 1 else 0 end`;
  const { rows } = await readPage(queries, {
    ctes: `page as materialized (
      select happened_at as at, id, ${isTerminal} as counted, case when ${isTerminal} then (${one})::float8 end as value,
        case when not ${isTerminal} then 'not-terminal' end as reason
      from (${ranges(selection.scope, { place: place.text, counted: page.counted, keys: keys.text })}) row
      order by happened_at desc, id desc limit $3::int
    )`,
    others: 'array[]::uuid[]',
    values: [from, to, ...keys.values, ...place.values],
  });
  return { rows, ...totals(await countByStatus(queries, selection)) };
}

interface RangeConditions {
  readonly place: string;
  readonly counted: boolean | undefined;
  readonly keys: string;
}

/** Ranges of the index by slot if there is a scope, of that by environment if only some statuses are requested. */
function ranges(scope: Scope | undefined, { place, counted, keys }: RangeConditions): string {
  const page = `happened_at >= $1 and happened_at < $2 ${keys}`;
  if (!scope && counted === undefined) return `select happened_at, id, status from deployments where ${page}`;
  const columns = scope ? ['service', 'environment', 'status'] : ['environment', 'status'];
  const wanted = counted === undefined ? '' : `and ${counted ? '' : 'not'} ${isTerminal}`;
  return `
    select row.* from (
      select distinct ${columns.join(', ')} from latest_deployments latest where happened_at >= $1 ${wanted} ${place}
    ) range
    cross join lateral (
      select happened_at, id, status from deployments
      where ${columns.map((column) => `${column} = range.${column}`).join(' and ')} and ${page}
    ) row`;
}

function totals(counts: readonly { readonly status: string; readonly count: number }[]) {
  const isCounted = ({ status }: { readonly status: string }) => status === 'success' || status === 'failure';
  const sum = (some: typeof counts) => some.reduce((total, { count }) => total + count, 0);
  return {
    parts: counts.filter(isCounted).map(({ status, count }) => ({ part: status, count, p50: null, p95: null })),
    tallies: [
      { counted: true, reason: null, count: sum(counts.filter(isCounted)) },
      { counted: false, reason: 'not-terminal' as const, count: sum(counts.filter((one) => !isCounted(one))) },
    ],
  };
}
