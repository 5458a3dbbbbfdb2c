import type { Hold } from '@shiplog/contract';
import { compileGlobs } from '@shiplog/text';
import type { MarkedBad, RolledBack, SuccessCount, UndoneRelease } from '../../domain/outage-figures.ts';
import type { Selection } from '../../domain/scope.ts';
import type { Queries } from '../database.ts';
import { instantText, member } from '../log-mark.ts';
import { type ItemRow, keyset, type PageRequest, readPage } from './evidence.ts';
import { inSlot, instantsOf, within } from './span.ts';

/** Successes per UTC day in these environments or in all. A day in both halves of the window has two rows. */
export function countSuccesses(
  queries: Queries,
  { window, scope, below }: Selection,
  environments: readonly string[] | 'all',
): Promise<SuccessCount[]> {
  const inScope = within(scope, 'slot', 6);
  const isAsked = `($5::text[] is null or environment = any($5)) and status = 'success'`;
  const inWindow = 'happened_at >= $1 and happened_at < $3 and id < $4';
  const rows = scope
    ? `(select * from latest_deployments slot where ${isAsked} and happened_at >= $1 ${inScope.text}) slot
      cross join lateral (
        select happened_at from deployments
        where service = slot.service and environment = slot.environment and status = slot.status and ${inWindow}
      ) row`
    : `(select happened_at from deployments where ${isAsked} and ${inWindow}) row`;
  return queries.query<SuccessCount>({
    text: `
      select (date_part('epoch', day) / 86400)::int as day, prior, success
      from (
        select date_bin('1 day', row.happened_at, 'epoch') as day, row.happened_at < $2 as prior, count(*)::float8 as success
        from ${rows} group by 1, 2
      ) counted`,
    values: [...instantsOf(window), below, environments === 'all' ? null : environments, ...inScope.values],
  });
}

/** A page of the successes, newest first; only those in `environments` are counted. */
export async function readSuccesses(
  queries: Queries,
  { window, scope, below }: Selection,
  { page, environments }: { readonly page: PageRequest; readonly environments: readonly string[] },
): Promise<readonly ItemRow[]> {
  const [from, , to] = instantsOf(window);
  const keys = keyset(page, 6, 'happened_at');
  const inScope = within(scope, 'latest', 6 + keys.values.length);
  const columns = scope ? ['service', 'environment'] : ['environment'];
  const { rows } = await readPage(queries, {
    ctes: `page as materialized (
      select happened_at as at, id, environment = any($4::text[]) as counted, null::float8 as value, null as reason
      from (
        select row.*, range.environment from (
          select distinct ${columns.join(', ')} from latest_deployments latest
          where status = 'success' and happened_at >= $1 ${inScope.text}
            and ($5::boolean is null or $5 = (environment = any($4)))
        ) range
        cross join lateral (
          select happened_at, id from deployments
          where ${columns.map((column) => `${column} = range.${column}`).join(' and ')} and status = 'success'
            and happened_at >= $1 and happened_at < $2 and id < $3 ${keys.text}
        ) row
      ) row
      order by happened_at desc, id desc limit $6::int
    )`,
    others: 'array[]::uuid[]',
    values: [from, to, below, environments, page.counted ?? null, ...keys.values, ...inScope.values],
  });
  return rows;
}

const success = (row: string) => `
  ${row}.id, ${row}.service, ${row}.environment, ${row}.deployment_id, ${instantText(`${row}.happened_at`)} as at`;

/** The successes in a window that a rollback replaced, whenever that was (outages.md 7.7). */
export async function listRolledBack(queries: Queries, { window, scope }: Selection): Promise<RolledBack[]> {
  const [from, , to] = instantsOf(window);
  const inScope = within(scope, 'slot', 3);
  const run = 'last_at, last_id, ended_at, ended_id';
  const rows = await queries.query<RolledBack & { undone: readonly (UndoneRelease & { release: string })[] }>({
    text: `
      select ${success('row')}, rollback.first_id as rollback_id, (
          select json_agg(json_build_object('release', run.release, 'version', ${member('version', 'event')},
            'sha', ${member('sha', 'event')}) order by run.last_at desc, run.last_id desc)
          from release_runs run join deployments on id = run.last_id
          where run.service = slots.service and run.environment = slots.environment
            and (run.first_at, run.first_id) > (restored.happened_at, restored.id)
            and (run.first_at, run.first_id) < (rollback.first_at, rollback.first_id)
        ) as undone
      from (
        select distinct service, environment from latest_deployments slot
        where status = 'success' and happened_at >= $1 ${inScope.text}
      ) slots
      cross join lateral (
        (select ${run} from release_runs where ${inSlot} and first_at < $1 order by first_at desc, first_id desc limit 1)
        union all
        select ${run} from release_runs where ${inSlot} and first_at >= $1 and first_at < $2
      ) replaced
      join release_runs rollback on rollback.service = slots.service and rollback.environment = slots.environment
        and rollback.first_at = replaced.ended_at and rollback.first_id = replaced.ended_id
        and rollback.earlier_id is not null
      join deployments row on row.id = replaced.last_id
      join deployments restored on restored.id = rollback.earlier_id
      where replaced.last_at >= $1 and replaced.last_at < $2`,
    values: [from, to, ...inScope.values],
  });
  return rows.map(({ undone, ...row }) => {
    const releases = new Map<string, UndoneRelease>();
    for (const { release, version, sha } of undone) {
      if (!releases.has(release)) releases.set(release, { version, sha });
    }
    return { ...row, undone: [...releases.values()] };
  });
}

/** The last success of each bad version before it was marked, in each slot that the mark is about (outages.md 7.8). */
export async function listMarkedBad(
  queries: Queries,
  { window, scope, below }: Selection,
  holds: readonly Hold[],
): Promise<MarkedBad[]> {
  if (holds.length === 0) return [];
  const [from, , to] = instantsOf(window);
  const inScope = within(scope, 'slot', 2);
  const slots = await queries.query<{ service: string; environment: string }>({
    text: `
      select service, environment from latest_deployments slot
      where status = 'success' and happened_at >= $1 ${inScope.text}`,
    values: [from, ...inScope.values],
  });
  const places = holds.flatMap((hold) => {
    const [isService, isEnvironment] = [compileGlobs(hold.services), compileGlobs(hold.environments)];
    return slots
      .filter(({ service, environment }) => isService(service) && isEnvironment(environment))
      .map(({ service, environment }) => [hold.id, service, environment, hold.version, hold.created_at] as const);
  });
  return queries.query<MarkedBad>({
    text: `
      select hold_id, marked.* from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::timestamptz[])
        as place (hold_id, slot_service, slot_environment, bad_version, marked_at)
      cross join lateral (
        select ${success('row')} from deployments row
        where service = slot_service and environment = slot_environment and status = 'success'
          and happened_at <= marked_at and happened_at >= $6::timestamptz and id < $8
          and bad_version in (event::json ->> 'version', event::json ->> 'sha')
        order by happened_at desc, id desc limit 1
      ) marked
      where marked.at::timestamptz < $7::timestamptz
      order by hold_id`,
    values: [...[0, 1, 2, 3, 4].map((column) => places.map((place) => place[column])), from, to, below],
  });
}
