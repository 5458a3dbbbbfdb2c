import { type Durations, durationBins } from '../../domain/analytics-answers.ts';
import type { Selection } from '../../domain/scope.ts';
import { oneRow, type Queries } from '../database.ts';
import type { Items } from './evidence.ts';
import { medianOf } from './medians.ts';
import { instantsOf, within } from './span.ts';

/** Cumulative: the number of durations below the end of each bin. */
const upTo = durationBins.map(({ upper_minutes: upper }) =>
  upper === null ? 'count(*)::float8' : `count(*) filter (where minutes < ${upper})::float8`,
);

/** The deployments whose last event is in a window (`$1` to `$2`) and in the scope (reading 5.10). */
const ended = (inScope: string) => `is_last and last_at >= $1::timestamptz and last_at < $2::timestamptz ${inScope}`;

/** From the first to the last event of each deployment that has at least two. */
export async function readDurations(queries: Queries, { window, scope }: Selection): Promise<Durations> {
  const [from, , to] = instantsOf(window);
  const inScope = within(scope, 'changes', 3);
  const row = await oneRow<Durations & { upTo: number[] }>(queries, {
    text: `
      select array[${upTo.join(', ')}] as "upTo",
        ${medianOf('minutes')} as p50,
        percentile_disc(0.95) within group (order by minutes) as p95
      from changes where ${ended(inScope.text)} and begun_id <> last_id`,
    values: [from, to, ...inScope.values],
  });
  const { upTo: counts, ...percentiles } = row;
  return { ...percentiles, counts: counts.map((count, bin) => count - (counts[bin - 1] ?? 0)) };
}

/** Each deployment with its last event, and its first event wherever it is in the log. */
export function durationItems({ window, scope }: Selection): Items {
  const [from, , to] = instantsOf(window);
  const inScope = within(scope, 'changes', 3);
  return {
    ctes: `items as (
      select last_at as at, last_id as id, null as part, begun_id <> last_id as counted,
        case when begun_id = last_id then 'single-row' end as reason,
        case when begun_id <> last_id then minutes end as value, begun_id
      from changes where ${ended(inScope.text)}
    )`,
    others: 'array[nullif(begun_id, page.id)]',
    values: [from, to, ...inScope.values],
  };
}
