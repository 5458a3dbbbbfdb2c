import type { Selection } from '../../domain/scope.ts';
import { failures, restoreMinutes } from '../analytics/incidents.ts';
import { instantsOf, within } from '../analytics/span.ts';
import type { Items } from './items.ts';

/** Each failure; the first of an incident stands for it, with the success that ended it. Open ones count. */
export function incidentItems(selection: Selection): Items {
  return failureItems(selection, 'is_first');
}

/** The same; open incidents are left out. */
export function restoreItems(selection: Selection): Items {
  return failureItems(selection, 'is_first and restored_id is not null');
}

function failureItems({ window, scope }: Selection, isCounted: string): Items {
  const [from, , to] = instantsOf(window);
  const place = within(scope, 'latest', 3);
  return {
    ctes: `${failures('$1', '$2', place.text)}, ordered as (
      select *, row_number() over (
        partition by service, environment, restored_id order by happened_at, id) = 1 as is_first
      from failures
    ), items as (
      select happened_at as at, id, null as part, case when is_first then ${restoreMinutes('happened_at')} end as value,
        ${isCounted} as counted,
        case when not is_first then 'repeated-failure' when restored_id is null then 'open' end as reason,
        case when is_first then restored_id end as restored_id
      from ordered
    )`,
    others: 'array[restored_id]',
    values: [from, to, ...place.values],
  };
}
