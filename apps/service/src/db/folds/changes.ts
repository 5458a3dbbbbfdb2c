import type { Fold } from './fold.ts';

const removedDeployments = 'select deployment_id from removed_deployments where id < $1';

/** Adds `counted` to the counts: 1 for each change that was added, -1 for each that was removed. */
const count = `
    days as (
      insert into change_days as known (day, service, environment, status, changes)
      select day_of(last_at), service, environment, status, sum(added) from counted group by 1, 2, 3, 4 having sum(added) <> 0
      on conflict (day, service, environment, status) do update set changes = known.changes + excluded.changes
    ), hours as (
      insert into change_hours as known (hour, status, changes)
      select hour_of(last_at), status, sum(added) from counted group by 1, 2 having sum(added) <> 0
      on conflict (hour, status) do update set changes = known.changes + excluded.changes
    )`;

/** Deployments that lost an event are computed again from all their events. */
const forget = {
  name: 'fold-changes-forget',
  text: `
    with counted as (
      delete from changes where deployment_id in (${removedDeployments})
      returning service, environment, status, last_at, -1 as added
    ), ${count}
    select`,
};

const forgetEmpty = {
  name: 'fold-forget-empty-counts',
  text: `
    with days as (delete from change_days where changes = 0)
    delete from change_hours where changes = 0`,
};

const earliest = (column: string) => `(array_agg(${column} order by happened_at, id))[1]`;
const latest = (column: string) => `(array_agg(${column} order by happened_at desc, id desc))[1]`;

/** Of two changes that may be null, the members of the one with the earlier first event or the later last event. */
const sooner = (column: string) =>
  `case when (added.first_at, added.first_id) < (known.first_at, known.first_id) or known.first_id is null
    then added.${column} else known.${column} end`;
const later = (column: string) =>
  `case when (added.last_at, added.last_id) > (known.last_at, known.last_id) or known.last_id is null
    then added.${column} else known.${column} end`;

const columns = [
  ...['deployment_id', 'service', 'environment', 'first_at', 'first_id', 'last_at', 'last_id', 'status', 'events'],
  ...['begun_at', 'begun_id', 'is_last'],
];
const updated = columns.slice(3);

const merge = {
  name: 'fold-changes',
  text: `
    with fresh as (
      select deployment_id, service, environment, status, happened_at, id from deployments where id >= $1 and id < $2
      union all
      select row.* from (select distinct deployment_id from (${removedDeployments}) removed) touched
      cross join lateral (
        select deployment_id, service, environment, status, happened_at, id from deployments
        where deployment_id = touched.deployment_id and id < $1 offset 0
      ) row
    ), added as (
      select deployment_id, service, environment, ${earliest('happened_at')} as first_at, ${earliest('id')} as first_id,
        ${latest('happened_at')} as last_at, ${latest('id')} as last_id, ${latest('status')} as status,
        count(*)::int as events
      from fresh group by deployment_id, service, environment
    ), known as (
      select changes.* from (select distinct deployment_id from added) touched
      cross join lateral (select * from changes where deployment_id = touched.deployment_id offset 0) changes
    ), merged as (
      select deployment_id, service, environment, ${sooner('first_at')} as first_at, ${sooner('first_id')} as first_id,
        ${later('last_at')} as last_at, ${later('last_id')} as last_id, ${later('status')} as status,
        coalesce(known.events, 0) + coalesce(added.events, 0) as events
      from known full join added using (deployment_id, service, environment)
    ), counted as (
      select service, environment, status, last_at, -1 as added from known
      union all
      select service, environment, status, last_at, 1 from merged
    ), ${count}
    insert into changes (${columns.join(', ')})
    select deployment_id, service, environment, first_at, first_id, last_at, last_id, status, events,
      first_value(first_at) over begun, first_value(first_id) over begun, first_value(last_id) over ended = last_id
    from merged
    window begun as (partition by deployment_id order by first_at, first_id),
      ended as (partition by deployment_id order by last_at desc, last_id desc)
    on conflict (deployment_id, service, environment) do update
    set ${updated.map((column) => `${column} = excluded.${column}`).join(', ')}
    where (${updated.map((column) => `changes.${column}`).join(', ')})
      is distinct from (${updated.map((column) => `excluded.${column}`).join(', ')})`,
};

/** `changes`: each deployment in each place (changes.md 1.1), and how many there are: `change_days` and `change_hours`. */
export const changesFold: Fold = {
  tables: ['changes', 'change_days', 'change_hours'],
  step: async (queries, { from, to, hasRemovals }) => {
    if (hasRemovals) await queries.query({ ...forget, values: [from] });
    await queries.query({ ...merge, values: [from, to] });
    await queries.query(forgetEmpty);
  },
};
