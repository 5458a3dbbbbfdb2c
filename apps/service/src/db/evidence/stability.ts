import type { Selection } from '../../domain/scope.ts';
import { instantsOf, within } from '../analytics/span.ts';
import { successes } from '../analytics/stability.ts';
import type { Items } from './items.ts';

/** Each success; a rollback with the success that it replaced and the earlier one of its release. */
export function rollbackItems(selection: Selection): Items {
  return successItems(selection, {
    isCounted: 'earlier_id is not null',
    reason: `case when release is null then 'no-release' else 'no-rollback' end`,
    others: 'array[replaced_id, earlier_id]',
  });
}

/** Each success; rework with the failure before it and, where it is a rollback, what makes it one. */
export function reworkItems(selection: Selection): Items {
  return successItems(selection, {
    isCounted: 'coalesce(earlier_id, failure_id) is not null',
    reason: `'no-rework'`,
    others: 'array[failure_id, replaced_id, earlier_id]',
  });
}

interface SuccessItems {
  readonly isCounted: string;
  /** Of those that are not. */
  readonly reason: string;
  readonly others: string;
}

function successItems({ window, scope }: Selection, { isCounted, reason, others }: SuccessItems): Items {
  const [from, , to] = instantsOf(window);
  const place = within(scope, 'latest', 3);
  return {
    ctes: `${successes(place.text)}, items as (
      select happened_at as at, id, null as part, case when ${isCounted} then 1::float8 end as value,
        ${isCounted} as counted, case when not (${isCounted}) then ${reason} end as reason,
        failure_id, replaced_id, earlier_id
      from successes
    )`,
    others,
    values: [from, to, ...place.values],
  };
}
