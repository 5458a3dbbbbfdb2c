import type { MixedRelease } from '@shiplog/contract';
import { within } from './analytics/span.ts';
import type { Queries } from './database.ts';
import { type DiffQuestion, lastSuccess, type ServiceDiff } from './environments-diff.ts';
import { member } from './log-mark.ts';

export interface StagesDiffQuestion extends Omit<DiffQuestion, 'from' | 'to'> {
  /** The environments of each side. */
  readonly from: readonly string[];
  readonly to: readonly string[];
  /** Which release represents a side whose environments run different ones. */
  readonly release: 'oldest' | 'newest';
}

export interface StagesDiff extends ServiceDiff {
  /** The environments of a side that runs several releases, those of `from` first. */
  readonly mixed: MixedRelease[] | null;
}

const both = '($1::text[] || $2::text[])';

/** The first success of a release in some environments. */
const firstIn = (release: string, service: string, environments: string) => `(
  select first_at, first_id from release_runs
  where service = ${service} and release = ${release} and environment = any(${environments}) and first_at <= $3::timestamptz
  order by first_at, first_id limit 1)`;

const succeededIn = (release: string, environments: string) => `exists (
  select from release_runs
  where service = services.service and release = ${release} and environment = any(${environments})
    and first_at <= $3::timestamptz)`;

/**
 * `counted`: the last success of each environment that counts, with the first success of its release in the stage.
 * `chosen`: the one that represents its side (stages.md 4.9).
 */
const statementText = (inScope: string, direction: 'asc' | 'desc') => `
  with places as (
    select distinct service from latest_deployments slot
    where environment = any(${both}) and status = 'success' ${inScope}
  ), running as materialized (
    select places.service, sides.side, sides.environments, sides.environment, last.*
    from places
    cross join (
      select 'from' as side, $1::text[] as environments, unnest($1::text[]) as environment
      union all select 'to', $2::text[], unnest($2::text[])
    ) sides
    cross join lateral ${lastSuccess('places.service', 'sides.environment')} last
  ), counted as materialized (
    select running.*, first_at, first_id
    from running left join lateral ${firstIn('running.release', 'running.service', 'running.environments')} first on true
    where release is not null or not exists (
      select from running other
      where other.service = running.service and other.side = running.side and other.release is not null)
  ), chosen as materialized (
    select distinct on (service, side) * from counted
    order by service, side, first_at ${direction}, first_id ${direction}, happened_at desc, id desc
  ), mixed as (
    select service, json_agg(json_build_object('environment', environment,
      'version', ${member('version')}, 'sha', ${member('sha')}) order by side, environment) as environments
    from counted
    where (service, side) in (select service, side from counted group by 1, 2 having count(distinct release) > 1)
    group by service
  )
  select services.service,
    "from".deployment_id as "fromDeployment", "from".release as "fromRelease", "from".event as "fromEvent",
    "to".deployment_id as "toDeployment", "to".release as "toRelease", "to".event as "toEvent",
    ${succeededIn('"to".release', '$1')} or ${succeededIn('"from".release', '$2')} as "isShared",
    coalesce((from_first.first_at, from_first.first_id) > (to_first.first_at, to_first.first_id), false) as "isFromLater",
    newer.behind, newer.since, mixed.environments as mixed
  from (select distinct service from chosen) services
  left join chosen "from" on "from".service = services.service and "from".side = 'from'
  left join chosen "to" on "to".service = services.service and "to".side = 'to'
  left join mixed on mixed.service = services.service
  left join lateral ${firstIn('"from".release', 'services.service', both)} from_first on true
  left join lateral ${firstIn('"to".release', 'services.service', both)} to_first on true
  cross join lateral (
    select count(distinct release)::int as behind, (
      select event::json ->> 'happened_at' from deployments where id = (array_agg(first_id order by first_at, first_id))[1]
    ) as since
    from release_runs run
    where service = services.service and environment = any($1) and first_at <= $3::timestamptz
      and (first_at, first_id) > (to_first.first_at, to_first.first_id)
      and (from_first.first_at, from_first.first_id) > (to_first.first_at, to_first.first_id)
      and not exists (
        select from release_runs earlier
        where earlier.service = run.service and earlier.release = run.release and earlier.environment = any(${both})
          and (earlier.first_at, earlier.first_id) <= (to_first.first_at, to_first.first_id))
  ) newer
  order by services.service`;

type Row = Omit<StagesDiff, 'from' | 'to'> &
  Readonly<Record<'fromDeployment' | 'fromRelease' | 'toDeployment' | 'toRelease', string | null>>;

/** The releases of two sides, at least one of which is a stage (stages.md 4.9 to 4.11). */
export async function readStagesDiff(
  queries: Queries,
  { from, to, until, scope, below, release }: StagesDiffQuestion,
): Promise<StagesDiff[]> {
  const inScope = within(scope, 'slot', 5);
  const values = [from, to, until ?? 'infinity', below, ...inScope.values];
  const direction = release === 'oldest' ? 'asc' : 'desc';
  const rows = await queries.query<Row>({ text: statementText(inScope.text, direction), values });
  return rows.map(({ fromDeployment, fromRelease, toDeployment, toRelease, ...row }) => ({
    ...row,
    from: fromDeployment === null ? null : { deploymentId: fromDeployment, release: fromRelease },
    to: toDeployment === null ? null : { deploymentId: toDeployment, release: toRelease },
  }));
}
