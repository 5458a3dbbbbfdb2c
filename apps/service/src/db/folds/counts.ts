import { unknownActor } from '@shiplog/contract';
import type { Fold } from './fold.ts';

const hours = (table: string, events: string) => `
  select hour_of(happened_at) as hour, status, coalesce(nullif(event::json ->> 'actor', ''), '${unknownActor}') as actor, ${events} as events
  from ${table}`;

const count = {
  name: 'fold-counts',
  text: `
    insert into event_counts as known (dimension, hour, name, events)
    select dimension, hour, name, sum(events)
    from (
      ${hours('deployments', '1')} where id >= $1 and id < $2
      union all
      ${hours('removed_deployments', '-1')} where id < $1
    ) changed
    cross join lateral (values ('status', status), ('actor', actor)) as counted (dimension, name)
    group by dimension, hour, name having sum(events) <> 0
    on conflict (dimension, hour, name) do update set events = known.events + excluded.events`,
};

const forget = {
  name: 'fold-forget-counts',
  text: `
    delete from event_counts
    where events = 0 and hour in (select hour_of(happened_at) from removed_deployments where id < $1)`,
};

/** `event_counts`: how many events happened in each hour. */
export const countsFold: Fold = {
  tables: ['event_counts'],
  step: async (queries, { from, to, hasRemovals }) => {
    await queries.query({ ...count, values: [from, to] });
    if (hasRemovals) await queries.query({ ...forget, values: [from] });
  },
};
