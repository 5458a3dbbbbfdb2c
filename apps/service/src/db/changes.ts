import { type Change, type DeployedRelease, limits, type NetChange, type Status } from '@shiplog/contract';
import type { ChangeRange } from '../domain/change-range.ts';
import { hoursBetween, instantOfDay, wholeDays } from '../domain/micros.ts';
import type { PageKey } from '../domain/page-cursor.ts';
import type { Scope } from '../domain/scope.ts';
import { overlapping, within } from './analytics/span.ts';
import type { Queries } from './database.ts';
import { cursorInstant, member } from './log-mark.ts';

export interface ChangesSelection {
  readonly range: ChangeRange;
  readonly scope: Scope | undefined;
}

/** A change whose last event is dated further in the future is listed separately (changes.md 1.3). */
const aheadMs = 5 * 60_000;

export interface ListedChanges extends ChangesSelection {
  readonly states: readonly Status[] | undefined;
  /** The database's clock in milliseconds since the Unix epoch. */
  readonly now: number;
  /** Events from this id on are not in `changes` yet. */
  readonly below: string;
}

type Row = Change & { readonly last_at: string };

const inPlaceOf = (row: string) =>
  `${row}.service = page.service and ${row}.environment = page.environment and ${row}.id < $3`;
const inPlace = inPlaceOf('deployments');

/** The newest event of the change that has a member. */
const newest = (name: string) => `(
  select ${member(name)} from deployments
  where deployment_id = page.deployment_id and ${inPlace} and ${member(name)} is not null
  order by happened_at desc, id desc limit 1)`;

/** Whether a success redeploys an earlier release after another one (questions.md 6). */
const isRollback = `exists (
  select from deployments done join release_runs run on (run.service, run.environment, run.first_at, run.first_id)
    = (page.service, page.environment, done.happened_at, done.id)
  where done.deployment_id = page.deployment_id and ${inPlaceOf('done')} and run.earlier_id is not null)`;

const isEnd = `status in ('success', 'failure', 'cancelled', 'rejected')`;

/** Changes in a range, newest first by their last event; each member as in `Change`. */
async function listChanges(
  queries: Queries,
  { range, scope, states, now, below }: ListedChanges,
  part: { readonly isAhead: boolean; readonly after?: PageKey | undefined; readonly max: number },
): Promise<Row[]> {
  const values: unknown[] = [range.from, range.to, below, now + aheadMs, part.max];
  const value = (of: unknown) => `$${values.push(of)}`;
  const conditions = [`last_at ${part.isAhead ? '>' : '<='} to_timestamp($4::float8 / 1000)`];
  if (part.after) {
    conditions.push(
      `(last_at, last_id) < (${value(part.after.happenedAt)}::timestamptz, ${value(part.after.id)}::uuid)`,
    );
  }
  if (states) conditions.push(`status = any(${value(states)}::text[])`);
  const inScope = within(scope, 'changes', values.length + 1);
  values.push(...inScope.values);
  // Each part is read in the order of its index, up to the limit.
  const each = `and ${conditions.join(' and ')} ${inScope.text} order by last_at desc, last_id desc limit $5`;
  return queries.query<Row>({
    text: `
      with page as materialized (
        select * from ${overlapping({ part: each })} order by last_at desc, last_id desc limit $5
      )
      select page.deployment_id, page.service, page.environment, status as state, ${newest('version')} as version,
        ${newest('sha')} as sha,
        case when previous.id is not null then json_build_object('version', ${member('version', 'previous.event')},
          'sha', ${member('sha', 'previous.event')}, 'event_id', previous.id) end as previous,
        ${isRollback} as rollback, ${newest('actor')} as actor, ${newest('run_url')} as run_url,
        (select ${member('happened_at')} from deployments where id = first_id) as started_at,
        case when ${isEnd} then (select ${member('happened_at')} from deployments where id = last_id) end as ended_at,
        case when ${isEnd} and events > 1 then (extract(epoch from last_at - first_at) * 1000000)::float8 / 60000000 end as minutes,
        events, last_id as event_id, ${cursorInstant('last_at')} as last_at
      from page left join lateral (
        select id, event from deployments
        where ${inPlace} and status = 'success' and (happened_at, id) < (first_at, first_id)
        order by happened_at desc, id desc limit 1
      ) previous on true
      order by page.last_at desc, page.last_id desc`,
    values,
  });
}

/** A page of changes, and the key of its last one if there are more. */
export async function readChanges(
  queries: Queries,
  listed: ListedChanges,
  { after, size }: { readonly after: PageKey | undefined; readonly size: number },
): Promise<{ readonly items: Change[]; readonly next: PageKey | undefined }> {
  const rows = await listChanges(queries, listed, { isAhead: false, after, max: size + 1 });
  const last = rows.length > size ? rows[size - 1] : undefined;
  return {
    items: rows.slice(0, size).map(changeOf),
    next: last && { happenedAt: last.last_at, id: last.event_id },
  };
}

export async function readAhead(queries: Queries, listed: ListedChanges): Promise<Change[]> {
  const rows = await listChanges(queries, listed, { isAhead: true, max: limits.changesAheadMax });
  return rows.map(changeOf);
}

function changeOf({ last_at: _, ...change }: Row): Change {
  return change;
}

export interface ChangeCounts {
  readonly services: number;
  readonly elsewhere: number;
  /** States without changes are absent. */
  readonly byState: Readonly<Partial<Record<Status, number>>>;
}

/**
 * The numbers of changes that overlap a range, by place and state, as `changes`; values from `$1`.
 * @param condition of those that last longer than the range.
 */
export function countedChanges(
  { from, to }: ChangeRange,
  condition = '',
): { readonly text: string; readonly values: readonly unknown[] } {
  const [first, last] = wholeDays(from, to);
  const [days, rest] = first < last ? [instantOfDay(first), instantOfDay(last)] : [from, from];
  return {
    text: `(
      select service, environment, status, changes from change_days where day >= $5 and day < $6
      union all
      select service, environment, status, 1 from changes where last_at >= $1 and last_at < $3
      union all
      select service, environment, status, 1 from ${overlapping({ from: '$4', part: condition })}
    ) changes`,
    values: [from, to, days, rest, first, last],
  };
}

export async function countChanges(queries: Queries, { range, scope }: ChangesSelection): Promise<ChangeCounts> {
  const counted = countedChanges(range);
  const inScope = within(scope, 'changes', counted.values.length + 1);
  const rows = await queries.query<{ status: Status | null; count: number; services: number; elsewhere: number }>({
    text: `
      with places as materialized (
        select service, status, true ${inScope.text} as is_inside, sum(changes) as changes
        from ${counted.text} group by 1, 2, 3
      )
      select status, coalesce(sum(changes) filter (where is_inside), 0)::float8 as count,
        coalesce(sum(changes) filter (where not is_inside), 0)::float8 as elsewhere,
        count(distinct service) filter (where is_inside)::float8 as services
      from places group by grouping sets ((), (status))`,
    values: [...counted.values, ...inScope.values],
  });
  const total = rows.find(({ status }) => status === null);
  return {
    services: total?.services ?? 0,
    elsewhere: total?.elsewhere ?? 0,
    byState: Object.fromEntries(rows.flatMap(({ status, count }) => (status === null ? [] : [[status, count]]))),
  };
}

/** A place with changes in a range, and its last successes before the range and before its end. */
export interface ChangedPlace extends Omit<NetChange, 'before' | 'after'> {
  readonly before_id: string | null;
  readonly after_id: string | null;
}

const lastSuccess = (when: string, below: string) => `
  select id, release, deployment_id from deployments
  where service = places.service and environment = places.environment and status = 'success' and ${when} and id < ${below}
  order by happened_at desc, id desc limit 1`;

/** Every place with a change in the range: those that changed first, then by name (changes.md 1.5 and 5.10). */
export function listChangedPlaces(
  queries: Queries,
  selection: ChangesSelection & Pick<ListedChanges, 'below'>,
): Promise<ChangedPlace[]> {
  const { range, scope } = selection;
  const counted = countedChanges(range);
  const below = counted.values.length + 1;
  const inScope = within(scope, 'changes', below + 1);
  return queries.query<ChangedPlace>({
    text: `
      with places as materialized (
        select service, environment, sum(changes)::float8 as changes,
          coalesce(sum(changes) filter (where status = 'failure'), 0)::float8 as failed
        from ${counted.text} where true ${inScope.text} group by service, environment
      )
      select service, environment, before.id as before_id, coalesce(success.id, before.id) as after_id,
        case when success.id is null then false
          when before.id is null then true
          when before.release is not null and success.release is not null then before.release <> success.release
          else before.deployment_id <> success.deployment_id end as changed,
        changes, failed
      from places
      left join lateral (${lastSuccess('happened_at < $1', `$${below}`)}) before on true
      left join lateral (${lastSuccess('happened_at >= $1 and happened_at < $2', `$${below}`)}) success on true
      order by changed desc, service, environment`,
    values: [...counted.values, selection.below, ...inScope.values],
  });
}

export async function readDeployedReleases(
  queries: Queries,
  ids: readonly string[],
): Promise<ReadonlyMap<string, DeployedRelease>> {
  const rows = await queries.query<DeployedRelease>({
    name: 'deployed-releases',
    text: `
      select ${member('version')} as version, ${member('sha')} as sha, id as event_id
      from deployments where id = any($1::uuid[])`,
    values: [ids],
  });
  return new Map(rows.map((row) => [row.event_id, row]));
}

/** How many changes have their last event in each part of a range, by state. Without a scope, whole hours are counted already. */
export async function countChangesByTime(
  queries: Queries,
  scope: Scope | undefined,
  /** The boundaries of the parts; equal ones have nothing between them. */
  boundaries: readonly string[],
): Promise<{ part: number; status: Status; count: number }[]> {
  const [from = '', to = ''] = [boundaries[0], boundaries.at(-1)];
  if (scope) {
    const inScope = within(scope, 'changes', 4);
    return queries.query({
      text: `
        select ${partOf('last_at')} as part, status, count(*)::float8 as count
        from changes where last_at >= $2 and last_at < $3 ${inScope.text} group by 1, 2`,
      values: [boundaries, from, to, ...inScope.values],
    });
  }
  const { hours, cut } = hoursBetween(boundaries);
  return queries.query({
    text: `
      select part, status, sum(changes)::float8 as count
      from (
        select ${partOf('to_timestamp(hour * 3600.0)')} as part, status, changes
        from change_hours where hour >= $4 and hour < $5 and hour <> all($6::int[])
        union all
        select ${partOf('last_at')}, status, 1
        from unnest($6::int[]) as cut (hour) cross join lateral (
          select last_at, status from changes
          where last_at >= greatest($2::timestamptz, to_timestamp(hour * 3600.0))
            and last_at < least($3::timestamptz, to_timestamp((hour + 1) * 3600.0))
          offset 0
        ) ended
      ) counted
      group by 1, 2`,
    values: [boundaries, from, to, ...hours, cut],
  });
}

const partOf = (at: string) => `width_bucket(${at}, $1::timestamptz[]) - 1`;
