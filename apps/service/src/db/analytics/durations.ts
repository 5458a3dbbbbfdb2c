import type { Durations } from '../../domain/analytics-answers.ts';
import { durationBins } from '../../domain/duration-bins.ts';
import type { Selection } from '../../domain/scope.ts';
import type { Queries } from '../database.ts';
import { medianOf } from './medians.ts';
import { instantsOf, rowsWithin, within } from './span.ts';

const inBin = durationBins.map(({ lower_minutes: lower, upper_minutes: upper }) => {
  const below = upper === null ? '' : `and minutes < ${upper}`;
  return `count(*) filter (where minutes >= ${lower} ${below})::float8`;
});

/**
 * From the first to the last row of each deployment with at least two, where its last one lies in the window (reading
 * 5.10); the first one may lie before it. Either all rows up to the end of the window are read, in the order of an
 * index, or those of the window, and the first one of each deployment is looked up.
 */
const spans = (isLogShort: boolean) => (isLogShort ? spansRead : spansLookedUp);

const spansRead = `
  select extract(epoch from last_at - first_at)::float8 / 60 as minutes
  from (
    select deployment_id, min(happened_at) as first_at, max(happened_at) as last_at from deployments
    where happened_at < $2 group by deployment_id having max(happened_at) >= $1 and count(*) > 1
  ) seen
  where not exists (select from deployments where deployment_id = seen.deployment_id and happened_at >= $2)`;

const spansLookedUp = `
  select extract(epoch from seen.last_at - first.happened_at)::float8 / 60 as minutes
  from (
    select deployment_id, max(happened_at) as last_at, count(*) as rows from deployments
    where happened_at >= $1 and happened_at < $2 group by deployment_id
  ) seen
  cross join lateral (
    select happened_at from deployments where deployment_id = seen.deployment_id order by happened_at limit 1
  ) first
  where (seen.rows > 1 or first.happened_at < $1) and not exists (
    select from deployments where deployment_id = seen.deployment_id and happened_at >= $2)`;

/** A look into the index takes as long as reading about so many rows in its order, and a deployment has two or more. */
const lookRows = 16;

/** Whether there are few rows before the window, beside those in it. */
async function isLogShort(queries: Queries, bounds: readonly string[]): Promise<boolean> {
  const [row] = await queries.query<{ isShort: boolean }>(
    {
      name: 'rows-before',
      text: `
        select sum(rows) <= ${lookRows / 2} * sum(rows) filter (where hour >= hour_of($1)) as "isShort"
        from hourly_counts where dimension = 'status' and hour <= hour_of($2)`,
    },
    bounds,
  );
  return row?.isShort === true;
}

/** The same of the deployments whose last row is in a scope: the last one that is there has none after it anywhere. */
const spansWithin = (place: string) => `
  select extract(epoch from last.happened_at - first.happened_at)::float8 / 60 as minutes
  from (
    select distinct on (deployment_id) deployment_id, happened_at, id
    from (${rowsWithin('row.*', place, '$2')}) rows order by deployment_id, happened_at desc, id desc
  ) last
  cross join lateral (
    select id, happened_at from deployments where deployment_id = last.deployment_id order by happened_at, id limit 1
  ) first
  where first.id <> last.id and not exists (
    select from deployments
    where deployment_id = last.deployment_id and (happened_at, id) > (last.happened_at, last.id))`;

export async function readDurations(queries: Queries, { window, scope }: Selection): Promise<Durations> {
  const [from, , to] = instantsOf(window);
  const place = within(scope, 'slot', 3);
  const isShort = !scope && (await isLogShort(queries, [from, to]));
  const [row] = await queries.query<Durations>(
    {
      text: `
        select array[${inBin.join(', ')}] as counts,
          ${medianOf('minutes')} as p50,
          percentile_disc(0.95) within group (order by minutes) as p95
        -- Without an offset, the minutes would be worked out again for each bin.
        from (${scope ? spansWithin(place.text) : spans(isShort)} offset 0) spans`,
    },
    [from, to, ...place.values],
  );
  if (!row) throw new Error('the statement of durations gave no row');
  return row;
}
