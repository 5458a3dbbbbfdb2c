import type { Durations } from '../../domain/analytics-answers.ts';
import { durationBins } from '../../domain/duration-bins.ts';
import type { Selection } from '../../domain/scope.ts';
import type { Queries } from '../database.ts';
import { instantsOf, within } from './span.ts';

const inBin = durationBins.map(({ lower_minutes: lower, upper_minutes: upper }) => {
  const below = upper === null ? '' : `and minutes < ${upper}`;
  return `count(*) filter (where minutes >= ${lower} ${below})::float8`;
});

/**
 * From the first to the last row of each deployment with at least two, where its last one lies in the window (reading
 * 5.10); the first one may lie before it, which the index by deployment answers with one look.
 */
const spans = `
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

/** The same of the deployments whose last row is in a scope, which two looks tell of each that has a row there. */
const spansWithin = (slot: string, last: string) => `
  select extract(epoch from last.happened_at - first.happened_at)::float8 / 60 as minutes
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
    select service, environment, happened_at, id from deployments where deployment_id = seen.deployment_id
    order by happened_at desc, id desc limit 1
  ) last
  cross join lateral (
    select happened_at, id from deployments where deployment_id = seen.deployment_id order by happened_at, id limit 1
  ) first
  where first.id <> last.id and last.happened_at >= $1 and last.happened_at < $2 ${last}`;

export async function readDurations(queries: Queries, { window, scope }: Selection): Promise<Durations> {
  const [from, , to] = instantsOf(window);
  const place = within(scope, 'slot', 3);
  const [row] = await queries.query<Durations>(
    {
      text: `
        select array[${inBin.join(', ')}] as counts,
          percentile_cont(0.5) within group (order by minutes) as p50,
          percentile_disc(0.95) within group (order by minutes) as p95
        from (${scope ? spansWithin(place.text, within(scope, 'last', 3).text) : spans}) spans`,
    },
    [from, to, ...place.values],
  );
  if (!row) throw new Error('the statement of durations gave no row');
  return row;
}
