import { type Durations, durationBins } from '../../domain/analytics-answers.ts';
import type { Selection } from '../../domain/scope.ts';
import { oneRow, type Queries } from '../database.ts';
import type { Items } from './evidence.ts';
import { medianOf, secondsOf } from './medians.ts';
import { instantsOf, rowsWithin, within } from './span.ts';

/** Cumulative: the number of durations below the end of each bin. */
const upTo = durationBins.map(({ upper_minutes: upper }) =>
  upper === null ? 'count(*)::float8' : `count(*) filter (where minutes < ${upper})::float8`,
);

/**
 * From the first to the last row of each deployment that has at least two rows, the last one in the window (reading
 * 5.10). Reads all rows in index order.
 */
const spansRead = `
  select ${secondsOf('max(happened_at) - min(happened_at)')} / 60 as minutes from deployments
  group by deployment_id having max(happened_at) >= $1 and max(happened_at) < $2 and count(*) > 1`;

/** Finds the same spans from the rows in the window, with a lookup of each first row. */
const spansLookedUp = `
  select ${secondsOf('seen.last_at - first.happened_at')} / 60 as minutes
  from (
    select deployment_id, max(happened_at) as last_at, count(*) as rows from deployments
    where happened_at >= $1 and happened_at < $2 group by deployment_id
  ) seen
  cross join lateral (
    select happened_at from deployments where deployment_id = seen.deployment_id order by happened_at limit 1
  ) first
  where (seen.rows > 1 or first.happened_at < $1) and not exists (
    select from deployments where deployment_id = seen.deployment_id and happened_at >= $2)`;

/** An index lookup takes as long as reading about this many rows in index order. */
const rowsPerLookup = 16;

/** Whether reading all rows is faster than looking up each first row. A deployment has at least two rows. */
async function isLogShort(queries: Queries, bounds: readonly string[]): Promise<boolean> {
  const [row] = await queries.query<{ isShort: boolean }>({
    name: 'rows-beside',
    text: `
      select sum(rows) <= ${rowsPerLookup / 2} * sum(rows) filter (where hour >= hour_of($1) and hour <= hour_of($2)) as "isShort"
      from hourly_counts where dimension = 'status'`,
    values: bounds,
  });
  return row?.isShort === true;
}

/** Finds the same spans in a scope. The last row in the scope must also be the last row of the deployment. */
const spansWithin = (inScope: string) => `
  select ${secondsOf('last.happened_at - whole.first_at')} / 60 as minutes
  from (
    select distinct on (deployment_id) deployment_id, happened_at, id
    from (${rowsWithin('row.*', inScope, '$2')}) rows order by deployment_id, happened_at desc, id desc
  ) last
  cross join lateral (
    select count(*) as rows, min(happened_at) as first_at, bool_or((happened_at, id) > (last.happened_at, last.id)) as goes_on
    from deployments where deployment_id = last.deployment_id offset 0
  ) whole
  where rows > 1 and not goes_on`;

export async function readDurations(queries: Queries, { window, scope }: Selection): Promise<Durations> {
  const [from, , to] = instantsOf(window);
  const inScope = within(scope, 'slot', 3);
  const unscoped = !scope && (await isLogShort(queries, [from, to])) ? spansRead : spansLookedUp;
  const row = await oneRow<Durations & { upTo: number[] }>(queries, {
    text: `
      select array[${upTo.join(', ')}] as "upTo",
        ${medianOf('minutes')} as p50,
        percentile_disc(0.95) within group (order by minutes) as p95
      -- Without an offset, the minutes would be computed again for each bin.
      from (${scope ? spansWithin(inScope.text) : unscoped} offset 0) spans`,
    values: [from, to, ...inScope.values],
  });
  const { upTo: counts, ...percentiles } = row;
  return { ...percentiles, counts: counts.map((count, bin) => count - (counts[bin - 1] ?? 0)) };
}

/** The last row of each deployment, if it is in the window. */
const lastRows = `
  select distinct on (deployment_id) deployment_id, happened_at, id from deployments last
  where happened_at >= $1 and happened_at < $2 and not exists (
    select from deployments where deployment_id = last.deployment_id and happened_at >= $2)
  order by deployment_id, happened_at desc, id desc`;

/** The same rows for deployments with a row in the scope. */
const lastRowsWithin = (slot: string, last: string) => `
  select last.deployment_id, last.happened_at, last.id
  from (
    select distinct row.deployment_id
    from (select service, environment, status from latest_deployments slot where true ${slot}) slot
    cross join lateral (
      select deployment_id from deployments
      where service = slot.service and environment = slot.environment and status = slot.status
        and happened_at >= $1 and happened_at < $2
    ) row
  ) seen
  cross join lateral (
    select deployment_id, service, environment, happened_at, id from deployments
    where deployment_id = seen.deployment_id order by happened_at desc, id desc limit 1
  ) last
  where last.happened_at >= $1 and last.happened_at < $2 ${last}`;

/** Each deployment with its last row in the window, and its first row wherever it is in the log (reading 5.10). */
export function durationItems({ window, scope }: Selection): Items {
  const [from, , to] = instantsOf(window);
  const inScope = within(scope, 'slot', 3);
  return {
    ctes: `items as (
      select last.happened_at as at, last.id, null as part, first.id as first_id, first.id <> last.id as counted,
        case when first.id = last.id then 'single-row' end as reason,
        case when first.id <> last.id then extract(epoch from last.happened_at - first.happened_at)::float8 / 60 end
          as value
      from (${scope ? lastRowsWithin(inScope.text, within(scope, 'last', 3).text) : lastRows}) last
      cross join lateral (
        select happened_at, id from deployments where deployment_id = last.deployment_id
        order by happened_at, id limit 1
      ) first
    )`,
    others: 'array[nullif(first_id, page.id)]',
    values: [from, to, ...inScope.values],
  };
}
