import type { Scope, Selection } from '../../domain/scope.ts';
import { countByStatus } from '../analytics/counts.ts';
import { instantsOf, within } from '../analytics/span.ts';
import type { Queries } from '../database.ts';
import type { Evidence } from './items.ts';
import { type AskedPage, keyset, readPage } from './page.ts';

const isTerminal = `status in ('success', 'failure')`;

/**
 * A page of the rows of a window, of which those with success or failure count. How many there are is counted by hour
 * and status; the page is the newest rows of the ranges of the index that the question takes, so it costs the same
 * however deep it lies.
 */
export async function readRows(
  queries: Queries,
  selection: Selection,
  { value, page }: { readonly value: 'one' | 'failed'; readonly page: AskedPage },
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

/** Ranges of the index by slot where there is a scope, of that by environment where only some statuses are asked for. */
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
