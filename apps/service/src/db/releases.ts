import { limits, nilId } from '@shiplog/contract';
import { escapeLike } from '@shiplog/text';
import type { PageKey } from '../domain/page-cursor.ts';
import type { Queries } from './database.ts';
import { cursorInstant, member } from './log-mark.ts';

/** Columns whose names end in `Json` are JSON strings. */
export interface StoredRelease {
  readonly service: string;
  /** `v` and the version, or `s` and the sha. */
  readonly release: string;
  /** Taken from the newest row of the release that has this member. */
  readonly sha: string | null;
  readonly ref: string | null;
  readonly actor: string | null;
  readonly firstAt: string;
  readonly lastAt: string;
  readonly runsInJson: string;
  readonly placesJson: string;
}

export interface StoredReleaseDetail extends StoredRelease {
  readonly eventsJson: string;
  readonly replacedJson: string;
}

export interface ReleaseFilter {
  readonly service: string | undefined;
  readonly q: string | undefined;
}

const latestFirst = 'order by happened_at desc, id desc';
const success = `filter (where status = 'success')`;
/** Selects the value from the newest row in a group. */
const first = (column: string, filter = '') => `(array_agg(${column} ${latestFirst}) ${filter})[1]`;

/** Events up to the position of the folds. As an index condition, PostgreSQL 18 would prepare a skip scan in each lookup. */
const isFolded = '(id < $1) is not false';

/** `events`: those of the releases in `page`. */
const events = `
  events as materialized (
    select page.service, page.release, row.*
    from page
    cross join lateral (
      select deployment_id from release_deployments
      where service = page.service and release = page.release offset 0
    ) link
    cross join lateral (
      select environment, status, happened_at, id from deployments
      where deployment_id = link.deployment_id and service = page.service and release = page.release and ${isFolded} offset 0
    ) row
  )`;
const ofPage = `(select * from events where service = page.service and release = page.release) own`;

/**
 * Selects a member from the newest row that has it. Reads other rows only if the latest row doesn't have this member.
 */
const newest = (name: string) => `coalesce(${member(name, 'latest.event')}, (
  select ${member(name)} from (select id from ${ofPage} ${latestFirst} offset 0) ordered
  cross join lateral (select event from deployments where id = ordered.id offset 0) row
  where ${member(name)} is not null limit 1))`;

/** A JSON object by environment. */
const byEnvironment = (value: string) =>
  `'{' || string_agg(to_json(environment)::text || ':' || ${value}, ',' order by environment) || '}'`;

/**
 * The releases in the query `page`; one row of nulls if there are none. In each slot that `runsOf` selects, the last
 * run of a release starts after the last success of a different release and ends with the release's last success
 * (questions.md 12.9).
 */
const about = (page: string, { runsOf, columns }: { readonly runsOf: string; readonly columns: string }) => `
  with ${page}, ${events}, oldest as (
    select distinct on (service, release) service, release, id from events order by service, release, happened_at, id
  ), places as materialized (
    select place.*, coalesce(success_id = (
        select id from deployments
        where service = place.service and environment = place.environment and status = 'success' and ${isFolded}
        ${latestFirst} limit 1
      ), false) as runs
    from (
      select service, release, environment, ${first('id')} as id, ${first('id', success)} as success_id,
        ${first('happened_at', success)} as success_at
      from events where status in ('in-progress', 'success', 'failure') group by service, release, environment
    ) place
  ), runs as (
    select places.*, before.release as before_release, before.event as before_event, first.since, after.until
    from places
    left join lateral (
      select happened_at, id, release, event from deployments
      where service = places.service and environment = places.environment and status = 'success' and ${isFolded} and ${runsOf}
        and (happened_at, id) < (success_at, success_id) and release is distinct from places.release
      ${latestFirst} limit 1
    ) before on true
    left join lateral (
      select ${member('happened_at')} as since from deployments
      where service = places.service and environment = places.environment and status = 'success' and ${isFolded}
        and places.runs
        and (happened_at, id) > (coalesce(before.happened_at, '-infinity'), coalesce(before.id, '${nilId}'))
      order by happened_at, id limit 1
    ) first on true
    left join lateral (
      select ${member('happened_at')} as until from deployments
      where service = places.service and environment = places.environment and status = 'success' and ${isFolded}
        and (happened_at, id) > (success_at, success_id)
      order by happened_at, id limit 1
    ) after on true
  ), gathered as (
    select service, release, json_agg(environment order by environment) filter (where runs) as runs_in,
      ${byEnvironment(`'{"event":' || event || ',"since":' || coalesce(to_json(since)::text, 'null')
        || ',"until":' || coalesce(to_json(until)::text, 'null') || '}'`)} as places,
      ${byEnvironment(`case when before_release is null then 'null' else json_build_object(
        'version', ${member('version', 'before_event')}, 'sha', ${member('sha', 'before_event')})::text end`)} as replaced
    from runs join lateral (select event from deployments where id = runs.id offset 0) newest on true
    group by service, release
  )
  select page.service, page.release, ${newest('ref')} as ref, ${newest('actor')} as actor,
    case when page.release like 'v%' then ${newest('sha')} else substr(page.release, 2) end as sha,
    ${member('happened_at', 'begun.event')} as "firstAt",
    ${member('happened_at', 'latest.event')} as "lastAt",
    ${cursorInstant('page.last_at')} as last_at, page.last_id,
    coalesce(gathered.runs_in, '[]')::text as "runsInJson", coalesce(gathered.places, '{}') as "placesJson",
    ${columns}
  from (select 1) always
  left join page on true
  left join deployments latest on latest.id = page.last_id
  left join oldest on oldest.service = page.service and oldest.release = page.release
  left join deployments begun on begun.id = oldest.id
  left join gathered on gathered.service = page.service and gathered.release = page.release
  order by page.last_at desc, page.last_id desc`;

const detailColumns = `
  (select '[' || string_agg(event, ',' order by newest.happened_at desc, newest.id desc) || ']'
   from (select id, happened_at from ${ofPage} ${latestFirst} limit ${limits.releaseEventsMax}) newest
   join lateral (select event from deployments where id = newest.id offset 0) row on true) as "eventsJson",
  coalesce(gathered.replaced, '{}') as "replacedJson"`;

/** Uses the greater of two names, because a version sorts after a sha and has priority. */
const oneRelease = {
  name: 'release',
  text: about(
    `page as materialized (
       select service, release, last_at, last_id from release_shas where service = $2 and release = any($3::text[])
       order by release desc, last_at desc, last_id desc limit 1
     )`,
    { runsOf: 'true', columns: detailColumns },
  ),
};

/** The release stored under one of these names. @param below events from this id on are not in the folds yet. */
export async function readRelease(
  queries: Queries,
  {
    service,
    releases,
    below,
  }: { readonly service: string; readonly releases: readonly string[]; readonly below: string },
): Promise<StoredReleaseDetail | undefined> {
  const [row] = await queries.query<StoredReleaseDetail>({ ...oneRelease, values: [below, service, releases] });
  return row?.service === null ? undefined : row;
}

interface Row extends StoredRelease {
  readonly scanned: number | null;
  readonly last_at: string;
  readonly last_id: string;
}

/** Where releases are looked for: among the newest, or by parts of their names; at most `max`, or all. */
export interface Scan {
  readonly by: 'time' | 'name';
  readonly max?: number;
}

const everything: Scan = { by: 'time' };
/** If many releases match, a few of the newest fill a page; if few match, their names find them all. */
const searches: readonly Scan[] = [
  { by: 'time', max: 2000 },
  { by: 'name', max: 5000 },
  { by: 'time', max: 40_000 },
  { by: 'name' },
];
const gramLength = 3;

function scansFor(q: string | undefined): readonly Scan[] {
  if (q === undefined) return [everything];
  return q.length < gramLength ? [...searches.filter(({ by }) => by === 'time'), everything] : searches;
}

interface ReleasesPage extends ReleaseFilter {
  readonly after: PageKey | undefined;
  readonly size: number;
  /** Events from this id on are not in the folds yet. */
  readonly below: string;
}

/** Lists releases by their latest row, newest first. Also returns the key of the last release if there are more. */
export async function listReleases(
  queries: Queries,
  page: ReleasesPage,
  scans = scansFor(page.q),
): Promise<{ readonly releases: readonly StoredRelease[]; readonly next: PageKey | undefined }> {
  const { size } = page;
  let rows: Row[] = [];
  for (const scan of scans) {
    const { text, values } = pageOf(page, scan);
    const columns = `${scan.max === undefined ? 'null' : '(select count(*) from scanned)::int'} as scanned`;
    // The listing needs runs only where the release is current.
    rows = await queries.query<Row>({ text: about(text, { runsOf: 'places.runs', columns }), values });
    const isWhole = rows[0]?.scanned !== scan.max;
    if (isWhole || (scan.by === 'time' && rows.length > size)) break;
  }
  rows = rows.filter(({ service }) => service !== null);
  const last = rows.length > size ? rows[size - 1] : undefined;
  return { releases: rows.slice(0, size), next: last && { happenedAt: last.last_at, id: last.last_id } };
}

const hexDigits = new RegExp(`^[0-9a-f]{${limits.shaPrefixMin},}$`, 'i');
const newestRowsFirst = 'order by last_at desc, last_id desc';

/**
 * Selects releases, ordered by the latest row of their shas, as far as the scan goes. The statement contains only the
 * requested conditions.
 */
function pageOf({ service, q, after, size, below }: ReleasesPage, { by, max }: Scan) {
  const values: unknown[] = [below];
  const value = (of: unknown) => `$${values.push(of)}`;
  const ofService = service === undefined ? 'true' : `service = ${value(service)}`;
  const conditions = after
    ? `${ofService} and (last_at, last_id) < (${value(after.happenedAt)}::timestamptz, ${value(after.id)}::uuid)`
    : ofService;
  const named = q === undefined ? undefined : matchesOf(q, value);
  const limit = max === undefined ? '' : `limit ${value(max)}`;
  const rows =
    by === 'time' || named === undefined
      ? `select * from release_shas where ${conditions} ${max === undefined ? '' : `${newestRowsFirst} ${limit}`}`
      : `select * from (${named.releases(ofService)}) named ${limit}`;
  const matches =
    by === 'time' ? (named?.condition() ?? 'true') : `(service, release) in (select * from scanned) and ${conditions}`;
  // One extra release shows whether there is a next page.
  const text = `scanned as ${max === undefined ? 'not' : ''} materialized (${rows}), page as materialized (
    select service, release, last_at, last_id from ${by === 'time' ? 'scanned' : 'release_shas'} newest
    where ${matches} and not exists (
      select from release_shas later where later.service = newest.service and later.release = newest.release
        and (later.last_at, later.last_id) > (newest.last_at, newest.last_id)
    )
    ${newestRowsFirst} limit ${value(size + 1)}
  )`;
  return { text, values };
}

/**
 * Versions that contain the text, and commits whose names begin with it, as a condition or as a list. ASCII letters match
 * in either case.
 */
function matchesOf(q: string, value: (of: unknown) => string) {
  const part = () => `lower(release) like lower(${value(`v%${escapeLike(q)}%`)}::text collate "C")`;
  const shas = () => `select service, release from release_shas where lower(sha) like ${value(`${q.toLowerCase()}%`)}`;
  const isSha = hexDigits.test(q);
  return {
    condition: () => (isSha ? `(${part()} or (service, release) in (${shas()}))` : part()),
    releases: (ofService: string) => `
      select service, release from version_names where grams(release) @> grams(${value(q)}) and ${part()} and ${ofService}
      ${isSha ? `union ${shas()} and ${ofService}` : ''}`,
  };
}
