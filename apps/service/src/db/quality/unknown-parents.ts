import { slotCounter } from './slots.ts';

/** Rows that arrived at least an hour ago and name an unknown parent (questions.md 10.2, `unknown-parent`). */
export const countUnknownParents = slotCounter(
  'row',
  (inScope) => `
    select distinct service, environment, happened_at, id
    from deployments row cross join lateral unnest(parents) as parent
    where parents is not null and id < log_floor(now() - interval '1 hour') ${inScope}
      and not exists (select from deployments where deployment_id = parent)`,
);
