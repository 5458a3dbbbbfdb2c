import { type Status, unknownActor } from '@shiplog/contract';
import type { TerminalCount } from '../../domain/kpi.ts';
import type { Scope, Selection } from '../../domain/scope.ts';
import type { Queries } from '../database.ts';
import { type Evidence, keyset, type PageRequest, readPage } from './evidence.ts';
import { hourMs, hoursOf, instantsOf, within } from './span.ts';

/** The UTC day of `hour`, since 1970. Dividing integers would round towards 1970. */
const day = 'floor(hour / 24::float8)::int';

/** Counts per UTC day. A day in both halves of the window has two rows; days without events are omitted. */
export function countTerminal(queries: Queries, selection: Selection) {
  return counted<TerminalCount>(queries, selection, {
    name: 'count-terminal',
    dimension: 'status',
    text: (counts) => `
      select ${day} as day, hour < $3 as prior,
        coalesce(sum(events) filter (where name = 'success'), 0)::float8 as success,
        coalesce(sum(events) filter (where name = 'failure'), 0)::float8 as failure
      from ${counts} where name in ('success', 'failure')
      group by 1, 2`,
    values: [Math.floor(selection.window.middle / hourMs)],
  });
}

export function countByStatus(queries: Queries, selection: Selection) {
  return counted<{ status: Status; count: number }>(queries, selection, {
    name: 'count-by-status',
    dimension: 'status',
    text: (counts) => `select name as status, sum(events)::float8 as count from ${counts} group by name`,
  });
}

/** Counts by day of week (0 is Sunday) and hour of day in UTC, without empty cells. */
export function countByHourOfWeek(queries: Queries, selection: Selection) {
  return counted<{ day_of_week: number; hour: number; count: number }>(queries, selection, {
    name: 'count-by-hour-of-week',
    dimension: 'status',
    // 1970 began on a Thursday. Of a negative number, `%` is negative.
    text: (counts) => `
      select (${day} % 7 + 11) % 7 as day_of_week, hour - ${day} * 24 as hour, sum(events)::float8 as count
      from ${counts} group by 1, 2 order by 1, 2`,
  });
}

/** The actors with the most rows, ties by name (reading 5.9). */
export function countByActor(queries: Queries, selection: Selection, limit: number) {
  return counted<{ actor: string; count: number }>(queries, selection, {
    name: 'count-by-actor',
    dimension: 'actor',
    text: (counts) => `
      select name as actor, sum(events)::float8 as count from ${counts}
      group by name order by sum(events) desc, name limit $3`,
    values: [limit],
  });
}

interface Count {
  readonly name: string;
  readonly dimension: 'status' | 'actor';
  /** Selects from counts: `hour` since 1970, `name` of the dimension, `events`. Its own values start at `$3`. */
  readonly text: (counts: string) => string;
  readonly values?: readonly unknown[];
}

/** Selects from the hourly counts if the selection is whole hours without a scope, otherwise from the events. */
async function counted<Row extends object>(
  queries: Queries,
  { window, scope, below }: Selection,
  { name, dimension, text, values = [] }: Count,
): Promise<Row[]> {
  const hours = scope ? undefined : hoursOf(window);
  if (hours) {
    const stored = `(select hour, name, events from event_counts
      where dimension = '${dimension}' and hour >= $1 and hour < $2) counts`;
    return queries.query<Row>({ name, text: text(stored), values: [...hours, ...values] });
  }
  const [from, , to] = instantsOf(window);
  const first = 3 + values.length;
  const inScope = within(scope, 'slot', first + 1);
  const events = `(
    select hour_of(event.happened_at) as hour, ${nameOf[dimension]} as name, 1 as events
    from (select service, environment, status from latest_deployments slot where true ${inScope.text}) slot
    cross join lateral (
      select happened_at, event from deployments
      where service = slot.service and environment = slot.environment and status = slot.status
        and happened_at >= $1::timestamptz and happened_at < $2::timestamptz and id < $${first}::uuid
    ) event) counts`;
  return queries.query<Row>({ text: text(events), values: [from, to, ...values, below, ...inScope.values] });
}

const nameOf = {
  status: 'slot.status',
  actor: `coalesce(nullif(event.event::json ->> 'actor', ''), '${unknownActor}')`,
};

const isTerminal = `status in ('success', 'failure')`;

/**
 * A page of rows; only rows with success or failure are counted. The page is read from index ranges, so a deep page
 * costs the same as the first.
 */
export async function readRowEvidence(
  queries: Queries,
  selection: Selection,
  { value, page }: { readonly value: 'one' | 'failed'; readonly page: PageRequest },
): Promise<Evidence> {
  const [from, , to] = instantsOf(selection.window);
  const keys = keyset(page, 4, 'happened_at');
  const inScope = within(selection.scope, 'latest', 4 + keys.values.length);
  const one = value === 'one' ? '1' : `case status when 'failure' then 1 else 0 end`;
  const { rows } = await readPage(queries, {
    ctes: `page as materialized (
      select happened_at as at, id, ${isTerminal} as counted, case when ${isTerminal} then (${one})::float8 end as value,
        case when not ${isTerminal} then 'not-terminal' end as reason
      from (${ranges(selection.scope, { inScope: inScope.text, counted: page.counted, keys: keys.text })}) row
      order by happened_at desc, id desc limit $4::int
    )`,
    others: 'array[]::uuid[]',
    values: [from, to, selection.below, ...keys.values, ...inScope.values],
  });
  return { rows, ...totals(await countByStatus(queries, selection)) };
}

/** With a scope, reads the index by slot, or the index by environment if only some statuses are requested. */
function ranges(
  scope: Scope | undefined,
  { inScope, counted, keys }: { inScope: string; counted: boolean | undefined; keys: string },
): string {
  const page = `happened_at >= $1 and happened_at < $2 and id < $3 ${keys}`;
  if (!scope && counted === undefined) return `select happened_at, id, status from deployments where ${page}`;
  const columns = scope ? ['service', 'environment', 'status'] : ['environment', 'status'];
  const requested = counted === undefined ? '' : `and ${counted ? '' : 'not'} ${isTerminal}`;
  return `
    select row.* from (
      select distinct ${columns.join(', ')} from latest_deployments latest where happened_at >= $1 ${requested} ${inScope}
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
