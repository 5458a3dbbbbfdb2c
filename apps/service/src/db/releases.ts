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
const ofRelease = 'service = page.service and release = page.release';

/**
 * Selects a member from the newest row that has it. Reads other rows only if the latest row doesn't have this member.
 */
const newest = (name: string) => `coalesce(${member(name, 'latest.event')}, (
  select ${member(name)} from (select event from deployments where ${ofRelease} ${latestFirst} offset 0) ordered
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
  with ${page}, places as materialized (
    select page.service, page.release, place.*, coalesce(slot.id = place.success_id, false) as runs
    from page
    cross join lateral (
      select environment, ${first('event')} as event, ${first('id', success)} as success_id,
        ${first('happened_at', success)} as success_at
      from deployments where ${ofRelease} and status in ('in-progress', 'success', 'failure') group by environment
    ) place
    left join latest_deployments slot on slot.service = page.service
      and slot.environment = place.environment and slot.status = 'success'
  ), runs as (
    select places.*, before.release as before_release, before.event as before_event, first.since, after.until
    from places
    left join lateral (
      select happened_at, id, release, event from deployments
      where service = places.service and environment = places.environment and status = 'success' and ${runsOf}
        and (happened_at, id) < (success_at, success_id) and release is distinct from places.release
      ${latestFirst} limit 1
    ) before on true
    left join lateral (
      select ${member('happened_at')} as since from deployments
      where service = places.service and environment = places.environment and status = 'success' and places.runs
        and (happened_at, id) > (coalesce(before.happened_at, '-infinity'), coalesce(before.id, '${nilId}'))
      order by happened_at, id limit 1
    ) first on true
    left join lateral (
      select ${member('happened_at')} as until from deployments
      where service = places.service and environment = places.environment and status = 'success'
        and (happened_at, id) > (success_at, success_id)
      order by happened_at, id limit 1
    ) after on true
  ), gathered as (
    select service, release, json_agg(environment order by environment) filter (where runs) as runs_in,
      ${byEnvironment(`'{"event":' || event || ',"since":' || coalesce(to_json(since)::text, 'null')
        || ',"until":' || coalesce(to_json(until)::text, 'null') || '}'`)} as places,
      ${byEnvironment(`case when before_release is null then 'null' else json_build_object(
        'version', ${member('version', 'before_event')}, 'sha', ${member('sha', 'before_event')})::text end`)} as replaced
    from runs group by service, release
  )
  select page.service, page.release, ${newest('ref')} as ref, ${newest('actor')} as actor,
    case when page.release like 'v%' then ${newest('sha')} else substr(page.release, 2) end as sha,
    (select ${member('happened_at')} from (
       select event from deployments where ${ofRelease} order by happened_at, id limit 1) oldest) as "firstAt",
    ${member('happened_at', 'latest.event')} as "lastAt",
    ${cursorInstant('page.last_at')} as last_at, page.last_id,
    coalesce(gathered.runs_in, '[]')::text as "runsInJson", coalesce(gathered.places, '{}') as "placesJson",
    ${columns}
  from (select 1) always
  left join page on true
  left join deployments latest on latest.id = page.last_id
  left join gathered on gathered.service = page.service and gathered.release = page.release
  order by page.last_at desc, page.last_id desc`;

const detailColumns = `
  (select '[' || string_agg(event, ',' ${latestFirst}) || ']' from (
     select event, happened_at, id from deployments where ${ofRelease} ${latestFirst} limit ${limits.releaseEventsMax}
   ) newest) as "eventsJson",
  coalesce(gathered.replaced, '{}') as "replacedJson"`;

/** Uses the greater of two names, because a version sorts after a sha and has priority. */
const oneRelease = {
  name: 'release',
  text: about(
    `page as materialized (
       select service, release, last_at, last_id from releases where service = $1 and release = any($2::text[])
       order by release desc, last_at desc, last_id desc limit 1
     )`,
    { runsOf: 'true', columns: detailColumns },
  ),
};

/** The release stored under one of these names. */
export async function readRelease(
  queries: Queries,
  service: string,
  releases: readonly string[],
): Promise<StoredReleaseDetail | undefined> {
  const [row] = await queries.query<StoredReleaseDetail>({ ...oneRelease, values: [service, releases] });
  return row?.service === null ? undefined : row;
}

interface Row extends StoredRelease {
  readonly scanned: number;
  readonly last_at: string;
  readonly last_id: string;
}

/** The listing needs runs only where the release is current. */
const listed = { runsOf: 'places.runs', columns: '(select count(*) from scanned)::int as scanned' };

/** Searches the last `max` rows of the log or of `releases`. Null means all rows. */
interface Scan {
  readonly among: 'rows' | 'releases';
  readonly max: number | null;
}

/** Rows to scan per requested release. If a scan finds too few releases, the next scan is wider. */
const rowsPerRelease = 40;
const candidatesPerRelease = 4;

/** Lists releases by their latest row, newest first. Also returns the key of the last release if there are more. */
export async function listReleases(
  queries: Queries,
  filter: ReleaseFilter,
  { after, size }: { readonly after: PageKey | undefined; readonly size: number },
): Promise<{ readonly releases: readonly StoredRelease[]; readonly next: PageKey | undefined }> {
  // One extra release shows whether there is a next page.
  const rowsMax = size + 1;
  const scans: Scan[] = [
    { among: 'releases', max: candidatesPerRelease * rowsMax },
    { among: 'releases', max: null },
  ];
  if (filter.service === undefined && filter.q === undefined) {
    scans.unshift({ among: 'rows', max: rowsPerRelease * rowsMax });
  }
  let rows: Row[] = [];
  for (const scan of scans) {
    const { text, values } = pageOf(filter, after, rowsMax, scan);
    rows = await queries.query<Row>({ text: about(text, listed), values });
    if (rows.length > size || rows[0]?.scanned !== scan.max) break;
  }
  rows = rows.filter(({ service }) => service !== null);
  const last = rows.length > size ? rows[size - 1] : undefined;
  return { releases: rows.slice(0, size), next: last && { happenedAt: last.last_at, id: last.last_id } };
}

const hexDigits = new RegExp(`^[0-9a-f]{${limits.shaPrefixMin},}$`, 'i');
const newestRowsFirst = 'order by last_at desc, last_id desc';

/** Selects releases, ordered by the latest row of their shas. The statement contains only the requested conditions. */
function pageOf(filter: ReleaseFilter, after: PageKey | undefined, rowsMax: number, scan: Scan) {
  const values: unknown[] = [];
  const value = (of: unknown) => `$${values.push(of)}`;
  const key = after && `(${value(after.happenedAt)}::timestamptz, ${value(after.id)}::uuid)`;
  const candidates =
    scan.among === 'rows'
      ? `scanned as materialized (
          select service, release, id from deployments where ${key ? `(happened_at, id) < ${key}` : 'true'}
          ${latestFirst} limit ${value(scan.max)}
        ), candidates as materialized (
          select releases.service, releases.release, last_at, last_id from scanned
          join releases on releases.service = scanned.service and releases.release = scanned.release and last_id = id
        )`
      : `candidates as materialized (
          select service, release, last_at, last_id from releases where ${conditionsOf(filter, key, value).join(' and ')}
          ${newestRowsFirst} limit ${value(scan.max)}
        ), scanned as (select from candidates)`;
  const text = `${candidates}, page as materialized (
    select * from candidates newest where not exists (
      select from releases later where later.service = newest.service and later.release = newest.release
        and (later.last_at, later.last_id) > (newest.last_at, newest.last_id)
    )
    ${newestRowsFirst} limit ${value(rowsMax)}
  )`;
  return { text, values };
}

function conditionsOf({ service, q }: ReleaseFilter, key: string | undefined, value: (of: unknown) => string) {
  const conditions = ['true'];
  if (service !== undefined) conditions.push(`service = ${value(service)}`);
  if (key) conditions.push(`(last_at, last_id) < ${key}`);
  if (q !== undefined) {
    // The collation "C" folds only ASCII letters.
    const folded = /[a-z]/i.test(q) ? 'lower(release)' : 'release';
    const part = `${folded} like lower(${value(`v%${escapeLike(q)}%`)}::text collate "C")`;
    const ofSha = () => `(service, release) in (
      select service, release from releases where lower(sha) like ${value(`${q.toLowerCase()}%`)})`;
    conditions.push(hexDigits.test(q) ? `(${part} or ${ofSha()})` : part);
  }
  return conditions;
}
