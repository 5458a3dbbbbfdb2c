import type { Fold } from './fold.ts';

const sha = `coalesce(event::json ->> 'sha', '')`;

const add = {
  name: 'fold-releases',
  text: `
    with fresh as materialized (
      select service, release, ${sha} as sha, deployment_id, happened_at, id from deployments
      where id >= $1 and id < $2 and release is not null
    ), links as (
      insert into release_deployments (service, release, deployment_id)
      select distinct service, release, deployment_id from fresh on conflict do nothing
    ), names as (
      insert into version_names (service, release)
      select distinct service, release from fresh where release like 'v%' on conflict do nothing
    )
    insert into release_shas as known (service, release, sha, last_at, last_id)
    select distinct on (service, release, sha) service, release, sha, happened_at, id from fresh
    order by service, release, sha, happened_at desc, id desc
    on conflict (service, release, sha) do update set last_at = excluded.last_at, last_id = excluded.last_id
    where (excluded.last_at, excluded.last_id) > (known.last_at, known.last_id)`,
};

const removed = `select service, release, deployment_id from removed_deployments where id < $1 and release is not null`;

const unlink = {
  name: 'fold-unlink-releases',
  text: `
    delete from release_deployments link using (select distinct * from (${removed}) removed) removed
    where (link.service, link.release, link.deployment_id) = (removed.service, removed.release, removed.deployment_id)
      and not exists (
        select from deployments
        where deployment_id = link.deployment_id and service = link.service and release = link.release and id < $1)`,
};

/** If the newest event of a commit was removed, the one before it takes its place. */
const restore = {
  name: 'fold-restore-releases',
  text: `
    with lost as materialized (
      select known.* from removed_deployments removed join release_shas known
        on (known.service, known.release, known.last_id) = (removed.service, removed.release, removed.id)
      where removed.id < $1
    ), left_over as materialized (
      select lost.service, lost.release, lost.sha, newest.happened_at, newest.id
      from lost cross join lateral (
        select row.happened_at, row.id
        from release_deployments link cross join lateral (
          select happened_at, id, event from deployments
          where deployment_id = link.deployment_id and service = lost.service and release = lost.release and id < $1 offset 0
        ) row
        where link.service = lost.service and link.release = lost.release and ${sha} = lost.sha
        order by row.happened_at desc, row.id desc limit 1
      ) newest
    ), gone as (
      delete from release_shas known using lost
      where (known.service, known.release, known.sha) = (lost.service, lost.release, lost.sha) and not exists (
        select from left_over
        where (left_over.service, left_over.release, left_over.sha) = (lost.service, lost.release, lost.sha))
    )
    update release_shas known set last_at = left_over.happened_at, last_id = left_over.id from left_over
    where (known.service, known.release, known.sha) = (left_over.service, left_over.release, left_over.sha)`,
};

const forget = {
  name: 'fold-forget-versions',
  text: `
    delete from version_names version using (select distinct service, release from (${removed}) removed) removed
    where (version.service, version.release) = (removed.service, removed.release) and not exists (
      select from release_shas where service = version.service and release = version.release)`,
};

/** `release_shas`, `version_names` and `release_deployments` (questions.md 9). */
export const releasesFold: Fold = {
  tables: ['release_shas', 'version_names', 'release_deployments'],
  step: async (queries, { from, to, hasRemovals }) => {
    if (hasRemovals) {
      await queries.query({ ...unlink, values: [from] });
      await queries.query({ ...restore, values: [from] });
      await queries.query({ ...forget, values: [from] });
    }
    await queries.query({ ...add, values: [from, to] });
  },
};
