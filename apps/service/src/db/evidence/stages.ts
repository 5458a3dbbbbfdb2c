import type { Selection } from '../../domain/scope.ts';
import { instantsOf, within } from '../analytics/span.ts';
import { samples } from '../analytics/stages.ts';
import type { Items } from './items.ts';

/** Each run of a status before the end, with the row that ended it. */
export function stageItems({ window, scope }: Selection): Items {
  const [from, , to] = instantsOf(window);
  const place = within(scope, 'slot', 3);
  return {
    ctes: `${samples(place.text)}, items as (
      select happened_at as at, id, status as part, minutes as value, ended_id is not null as counted,
        case when ended_id is null then 'open' end as reason, ended_id
      from samples
    )`,
    others: 'array[ended_id]',
    values: [from, to, ...place.values],
  };
}
