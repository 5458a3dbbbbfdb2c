import type { Medians } from '../../domain/kpi.ts';
import type { Selection } from '../../domain/scope.ts';
import type { Queries } from '../database.ts';
import type { Items } from './evidence.ts';
import { readMedians, secondsOf } from './medians.ts';
import { eventsWith, inSlot, instantsOf, slotsWith, within } from './span.ts';

/** Hours from the earliest event of the deployments that each production success was promoted from (reading 5.8). */
export function readLeadTimeMedians(
  queries: Queries,
  { window, scope }: Selection,
  /** The environments of the last stage. */
  production: readonly string[],
): Promise<Medians> {
  const inScope = within(scope, 'slot', 5);
  return readMedians(
    queries,
    `${slotsWith(`status = 'success' and environment = any($4)`, inScope.text)}, samples as (
      select happened_at as at, ${secondsOf('happened_at - first_at')} / 3600 as value
      from slots cross join lateral (
        select happened_at, first_at from lead_times
        where ${inSlot} and happened_at >= $1 and happened_at < $3 and happened_at > first_at
      ) measured
    )`,
    [...instantsOf(window), production, ...inScope.values],
  );
}

/** All successes; those in production have their earliest ancestor event. */
export function leadTimeItems({ window, scope, below }: Selection, production: readonly string[]): Items {
  const [from, , to] = instantsOf(window);
  const inScope = within(scope, 'slot', 5);
  return {
    ctes: `${slotsWith(`status = 'success'`, inScope.text)}, measured as (
      select success.*, slots.environment = any($4) as is_production, first_id,
        extract(epoch from success.happened_at - first_at)::float8 / 3600 as value
      from slots
      cross join lateral (
        select id, happened_at, cardinality(parents) > 0 as has_parents from ${eventsWith('success')}
      ) success
      left join lead_times using (id)
    ), judged as (
      select *, case when not is_production then 'not-production' when has_parents is not true then 'no-parents'
        when value is null then 'unknown-parent' when value <= 0 then 'not-positive' end as reason
      from measured
    ), items as (
      select happened_at as at, id, null as part, case when is_production then value end as value, reason is null as counted,
        reason, case when is_production then first_id end as first_id
      from judged
    )`,
    // In a cycle the earliest event may be the success itself.
    others: 'array[nullif(first_id, page.id)]',
    values: [from, to, below, production, ...inScope.values],
  };
}
