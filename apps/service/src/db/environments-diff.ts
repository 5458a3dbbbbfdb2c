import type { DiffFacts } from '../domain/environments-diff.ts';
import type { Scope } from '../domain/scope.ts';
import { within } from './analytics/span.ts';
import type { Queries } from './database.ts';

/** A comparison of two environments. */
export interface DiffQuestion {
  readonly from: string;
  readonly to: string;
  /** Only rows up to this moment, RFC 3339 in UTC; `undefined` for all. */
  readonly until: string | undefined;
  readonly scope: Scope | undefined;
}

/** One service with a success in either environment. */
export interface ServiceDiff extends DiffFacts {
  readonly service: string;
  /** The JSON of the last successes. */
  readonly fromEvent: string | null;
  readonly toEvent: string | null;
  /**
   * The number of distinct releases that succeeded in `from` since the release of `to` last did there, and when the
   * first did.
   */
  readonly behind: number;
  readonly since: string | null;
}

const by = `status = 'success' and happened_at <= $3::timestamptz`;
const latest = 'order by happened_at desc, id desc limit 1';

const lastIn = (environment: string) => `(
  select happened_at, id, deployment_id, release, event from deployments
  where service = places.service and environment = ${environment} and ${by} ${latest})`;

/** The last success of a release in an environment, if the two releases differ. */
const releaseIn = (environment: string, release: string) => `(
  select happened_at, id from deployments
  where service = sides.service and release = ${release} and environment = ${environment} and ${by}
    and from_release <> to_release ${latest})`;

/** The first success of a release in either environment, if each release succeeded on the other side. */
const firstOf = (release: string) => `(
  select happened_at, id from deployments
  where service = sides.service and release = ${release} and environment in ($1, $2) and ${by}
    and base.id is not null and reached.id is not null order by happened_at, id limit 1)`;

/** Every service with a success in either environment, by code point; a few index lookups each. */
const statementText = (place: string) => `
  with places as (
    select distinct service from latest_deployments slot
    where environment in ($1, $2) and status = 'success' ${place}
  ), sides as materialized (
    select places.service,
      "from".deployment_id as from_deployment, "from".release as from_release, "from".event as from_event,
      "to".deployment_id as to_deployment, "to".release as to_release, "to".event as to_event
    from places left join lateral ${lastIn('$1')} "from" on true left join lateral ${lastIn('$2')} "to" on true
    where "from".id is not null or "to".id is not null
  )
  select sides.*, base.id is not null as to_was_in_from, reached.id is not null as from_was_in_to,
    coalesce((from_first.happened_at, from_first.id) > (to_first.happened_at, to_first.id), false) as from_came_later,
    newer.behind, newer.since
  from sides
  left join lateral ${releaseIn('$1', 'to_release')} base on true
  left join lateral ${releaseIn('$2', 'from_release')} reached on true
  left join lateral ${firstOf('from_release')} from_first on true
  left join lateral ${firstOf('to_release')} to_first on true
  cross join lateral (
    select count(distinct release)::int as behind,
      (array_agg(event order by happened_at, id))[1]::json ->> 'happened_at' as since
    from deployments
    where service = sides.service and environment = $1 and ${by}
      and (happened_at, id) > (base.happened_at, base.id) and release is not null
  ) newer
  order by sides.service`;

interface Row {
  readonly service: string;
  readonly from_deployment: string | null;
  readonly from_release: string | null;
  readonly from_event: string | null;
  readonly to_deployment: string | null;
  readonly to_release: string | null;
  readonly to_event: string | null;
  readonly to_was_in_from: boolean;
  readonly from_was_in_to: boolean;
  readonly from_came_later: boolean;
  readonly behind: number;
  readonly since: string | null;
}

/** The last successes in two environments (questions.md 8). */
export async function readDiff(queries: Queries, { from, to, until, scope }: DiffQuestion): Promise<ServiceDiff[]> {
  const place = within(scope, 'slot', 4);
  const rows = await queries.query<Row>({
    text: statementText(place.text),
    values: [from, to, until ?? 'infinity', ...place.values],
  });
  return rows.map((row) => ({
    service: row.service,
    from: row.from_deployment === null ? null : { deploymentId: row.from_deployment, release: row.from_release },
    to: row.to_deployment === null ? null : { deploymentId: row.to_deployment, release: row.to_release },
    toWasInFrom: row.to_was_in_from,
    fromWasInTo: row.from_was_in_to,
    fromCameLater: row.from_came_later,
    fromEvent: row.from_event,
    toEvent: row.to_event,
    behind: row.behind,
    since: row.since,
  }));
}
