import type { DiffFacts } from '../domain/environments-diff.ts';
import type { Scope } from '../domain/scope.ts';
import { within } from './analytics/span.ts';
import type { Queries } from './database.ts';

export interface DiffQuestion {
  readonly from: string;
  readonly to: string;
  /** Only rows up to this moment, RFC 3339 in UTC; `undefined` for all. */
  readonly until: string | undefined;
  readonly scope: Scope | undefined;
  /** Events from this id on are not in the folds yet. */
  readonly below: string;
}

/** One service with a success in either environment. */
export interface ServiceDiff extends DiffFacts {
  readonly service: string;
  /** The JSON of the last successes. */
  readonly fromEvent: string | null;
  readonly toEvent: string | null;
  /**
   * Takes the release in `to` and finds its last success in `from`. Counts the releases that succeeded in `from` after
   * that, and finds when the first of these succeeded.
   */
  readonly behind: number;
  readonly since: string | null;
}

const by = `status = 'success' and happened_at <= $3::timestamptz and id < $4`;
const latest = 'order by happened_at desc, id desc limit 1';

export const lastSuccess = (service: string, environment: string) => `(
  select happened_at, id, deployment_id, release, event from deployments
  where service = ${service} and environment = ${environment} and ${by} ${latest})`;

/**
 * The last success of one environment's release in the other environment if the two releases differ. Its run ended
 * before `until`, because another release has succeeded since.
 */
const releaseIn = (environment: string, release: string) => `(
  select last_at as happened_at, last_id as id from release_runs
  where service = sides.service and release = ${release} and environment = ${environment} and first_at <= $3::timestamptz
    and "fromRelease" <> "toRelease" order by first_at desc, first_id desc limit 1)`;

/** The first success of a release in either environment, if each release succeeded in both environments. */
const firstOf = (release: string) => `(
  select first_at as happened_at, first_id as id from release_runs
  where service = sides.service and release = ${release} and environment in ($1, $2) and first_at <= $3::timestamptz
    and base.id is not null and reached.id is not null order by first_at, first_id limit 1)`;

/** Sorted by service, with a few index lookups per service. */
const statementText = (inScope: string) => `
  with places as (
    select distinct service from latest_deployments slot
    where environment in ($1, $2) and status = 'success' ${inScope}
  ), sides as materialized (
    select places.service,
      "from".deployment_id as "fromDeployment", "from".release as "fromRelease", "from".event as "fromEvent",
      "to".deployment_id as "toDeployment", "to".release as "toRelease", "to".event as "toEvent"
    from places left join lateral ${lastSuccess('places.service', '$1')} "from" on true
    left join lateral ${lastSuccess('places.service', '$2')} "to" on true
    where "from".id is not null or "to".id is not null
  )
  select sides.*, base.id is not null or reached.id is not null as "isShared",
    case when reached.id is null then base.id is not null
      else coalesce((from_first.happened_at, from_first.id) > (to_first.happened_at, to_first.id), false)
    end as "isFromLater",
    newer.behind, newer.since
  from sides
  left join lateral ${releaseIn('$1', '"toRelease"')} base on true
  left join lateral ${releaseIn('$2', '"fromRelease"')} reached on true
  left join lateral ${firstOf('"fromRelease"')} from_first on true
  left join lateral ${firstOf('"toRelease"')} to_first on true
  cross join lateral (
    select count(distinct release)::int as behind, (
      select event::json ->> 'happened_at' from deployments where id = (array_agg(first_id order by first_at, first_id))[1]
    ) as since
    from release_runs
    where service = sides.service and environment = $1 and (first_at, first_id) > (base.happened_at, base.id)
      and first_at <= $3::timestamptz
  ) newer
  order by sides.service`;

type Row = Omit<ServiceDiff, 'from' | 'to'> &
  Readonly<Record<'fromDeployment' | 'fromRelease' | 'toDeployment' | 'toRelease', string | null>>;

/** The last successes in two environments (questions.md 8). */
export async function readDiff(
  queries: Queries,
  { from, to, until, scope, below }: DiffQuestion,
): Promise<ServiceDiff[]> {
  const inScope = within(scope, 'slot', 5);
  const values = [from, to, until ?? 'infinity', below, ...inScope.values];
  const rows = await queries.query<Row>({ text: statementText(inScope.text), values });
  return rows.map(({ fromDeployment, fromRelease, toDeployment, toRelease, ...row }) => ({
    ...row,
    from: fromDeployment === null ? null : { deploymentId: fromDeployment, release: fromRelease },
    to: toDeployment === null ? null : { deploymentId: toDeployment, release: toRelease },
  }));
}
