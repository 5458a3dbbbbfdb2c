import type { Fold } from './fold.ts';

const link = {
  name: 'fold-parent-links',
  text: `
    insert into parent_links (parent, id)
    select distinct unnest(parents), id from deployments where id >= $1 and id < $2 and parents is not null`,
};

const isUnknown = (parent: string) =>
  `not exists (select from deployments where deployment_id = ${parent} and id < $2)`;

/** Links from new events to parents without events, and from any event to a parent that has lost its events. */
const unknown = {
  name: 'fold-unknown-parents',
  text: `
    insert into unknown_parents (parent, id, service, environment, happened_at)
    select parent, id, service, environment, happened_at
    from (
      select unnest(parents) as parent, id from deployments where id >= $1 and id < $2 and parents is not null
      union
      select parent, id from parent_links where parent in (select deployment_id from removed_deployments where id < $1)
    ) link
    join deployments using (id)
    where ${isUnknown('parent')}
    on conflict (parent, id) do nothing`,
};

const known = {
  name: 'fold-known-parents',
  text: `
    delete from unknown_parents
    where parent in (select deployment_id from deployments where id >= $1 and id < $2)`,
};

const forget = (table: string) => ({
  name: `fold-forget-${table}`,
  text: `
    delete from ${table} using removed_deployments removed
    where removed.id < $1 and parent = any(removed.parents) and ${table}.id = removed.id`,
});

/** `parent_links`, and `unknown_parents`: the rows of the finding `unknown-parent` (questions.md 10.2). */
export const parentsFold: Fold = {
  tables: ['parent_links', 'unknown_parents'],
  step: async (queries, { from, to, hasRemovals }) => {
    if (hasRemovals) {
      await queries.query({ ...forget('parent_links'), values: [from] });
      await queries.query({ ...forget('unknown_parents'), values: [from] });
    }
    await queries.query({ ...link, values: [from, to] });
    await queries.query({ ...known, values: [from, to] });
    await queries.query({ ...unknown, values: [from, to] });
  },
};
