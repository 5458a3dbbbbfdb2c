import type { Fold } from './fold.ts';

const removed = 'select deployment_id from removed_deployments where id < $1';

/** Removes the links from deployments to parents that their events no longer name. */
const unlink = {
  name: 'fold-unlink-promotions',
  text: `
    delete from promotions
    where deployment_id in (${removed} and parents is not null) and not exists (
      select from deployments
      where deployment_id = promotions.deployment_id and parents @> array[promotions.parent] and id < $1)`,
};

const firstEvent = (deployment: string) => `
  select happened_at, id from deployments where deployment_id = ${deployment} and id < $2
  order by happened_at, id limit 1`;

const link = {
  name: 'fold-link-promotions',
  text: `
    insert into promotions (deployment_id, parent, id)
    select distinct on (deployment_id, parent) deployment_id, parent, id
    from deployments cross join lateral unnest(parents) as named (parent)
    where id >= $1 and id < $2 and parents is not null
    order by deployment_id, parent, id
    on conflict do nothing`,
};

const successes = `select id, service, environment, happened_at, parents from deployments where status = 'success'`;

/**
 * The lead time of a success changes if it is new, and if a deployment that it was promoted from gets another first event
 * or another parent. `touched`: these deployments; `later`: they and what was promoted from them; `older`: the successes
 * of earlier steps that name one of them.
 */
const measure = {
  name: 'fold-lead-times',
  text: `
    with recursive touched as (
      select deployment_id
      from (select distinct deployment_id from deployments where id >= $1 and id < $2) fresh
      cross join lateral (${firstEvent('fresh.deployment_id')}) first
      where first.id >= $1 or exists (select from promotions where deployment_id = fresh.deployment_id and id >= $1)
      union
      ${removed}
    ), later as (
      select deployment_id from touched
      union
      select link.deployment_id from later cross join lateral (
        select deployment_id from promotions where parent = later.deployment_id offset 0
      ) link
    ), older as materialized (
      select distinct link.id from later cross join lateral (
        select id from parent_links where parent = later.deployment_id and id < $1 offset 0
      ) link
    ), successes as materialized (
      ${successes} and id >= $1 and id < $2 and parents is not null
      union all
      select row.* from older cross join lateral (${successes} and id = older.id offset 0) row
    ), paths as (
      select distinct parent as start, parent as deployment_id from (select unnest(parents) collate "C" as parent from successes) named
      union
      select start, link.parent from paths cross join lateral (
        select parent from promotions where deployment_id = paths.deployment_id offset 0
      ) link
    ), origins as (
      select distinct on (start) start, first.happened_at, first.id
      from paths cross join lateral (${firstEvent('paths.deployment_id')}) first
      order by start, first.happened_at, first.id
    ), made as materialized (
      select distinct on (successes.id) successes.id, service, environment, successes.happened_at,
        origins.happened_at as first_at, origins.id as first_id
      from successes cross join lateral unnest(parents) as named (parent) join origins on start = parent
      order by successes.id, origins.happened_at, origins.id
    ), gone as (
      delete from lead_times where ctid = any(array(
        select known.ctid from older cross join lateral (select ctid from lead_times where id = older.id offset 0) known
        where older.id not in (select id from made)
      ))
    )
    insert into lead_times as known (id, service, environment, happened_at, first_at, first_id)
    select * from made
    on conflict (id) do update set first_at = excluded.first_at, first_id = excluded.first_id
    where known.first_id <> excluded.first_id`,
};

const forget = {
  name: 'fold-forget-lead-times',
  text: 'delete from lead_times where id in (select id from removed_deployments where id < $1)',
};

/** `promotions`, and `lead_times` (reading 5.8). */
export const leadTimesFold: Fold = {
  tables: ['promotions', 'lead_times'],
  step: async (queries, { from, to, hasRemovals }) => {
    if (hasRemovals) {
      await queries.query({ ...unlink, values: [from] });
      await queries.query({ ...forget, values: [from] });
    }
    await queries.query({ ...link, values: [from, to] });
    await queries.query({ ...measure, values: [from, to] });
  },
};
