import type { OutageRow } from '@shiplog/contract';
import type { ComponentReport } from '../domain/component-report.ts';
import { type OutageState, outageOf, type Success } from '../domain/outages.ts';
import type { OutageKey } from '../domain/page-cursor.ts';
import { GateClosed, isGateClosed } from './append-deployments.ts';
import { appendComponentEvents } from './component-events.ts';
import { oneRow, type Queries, type Sessions } from './database.ts';
import { unfoldedFrom } from './folds/step.ts';
import { instantText, member, newId } from './log-mark.ts';

export type NewOutageRow = Omit<OutageRow, 'id'>;

/**
 * Appends a row, and updates the outage that its rows add up to.
 * @param reportAt the component event about it; its argument is when the row was stored, RFC 3339 in UTC.
 * @throws GateClosed while a reset clears the log.
 */
export function appendOutage(
  writes: Sessions,
  row: NewOutageRow,
  reportAt: (storedAt: string) => ComponentReport,
): Promise<OutageRow> {
  const { source, outage_id, happened_at } = row;
  return writes.session((session) =>
    session.transaction(async (queries) => {
      // A reset takes this lock before it clears, so no earlier row remains after it.
      await queries.query({ text: `select from log_heads where log = 'deployments' for share` });
      if (await isGateClosed(queries)) throw new GateClosed('a reset is clearing the log');
      await queries.query({
        name: 'lock-outage',
        text: 'select pg_advisory_xact_lock(hashtextextended($1, 0))',
        values: [JSON.stringify(['outage', source, outage_id])],
      });
      const { stored, at } = await oneRow<{ stored: string; at: string }>(queries, {
        name: 'append-outage',
        text: `
          insert into outage_rows (id, source, outage_id, happened_at, row)
          select id, $1, $2, $3, '{"id":"' || id || '",' || $4::text from (select ${newId} as id) made
          returning row as stored, ${instantText('clock_timestamp()')} as at`,
        values: [source, outage_id, happened_at, JSON.stringify(row).slice(1)],
      });
      await storeOutage(queries, outageOf(await readRows(queries, source, outage_id)));
      await appendComponentEvents(queries, [reportAt(at)]);
      return JSON.parse(stored) as OutageRow;
    }),
  );
}

async function storeOutage(queries: Queries, outage: OutageState): Promise<void> {
  const { source, outage_id, opened_at, resolved_at, state } = outage;
  await queries.query({
    name: 'store-outage',
    text: `
      insert into outages (source, outage_id, opened_at, resolved_at, is_open, last_at, outage)
      select $1, $2, $3, $4, $5, max(happened_at), $6 from outage_rows where source = $1 and outage_id = $2
      on conflict (source, outage_id) do update set opened_at = excluded.opened_at,
        resolved_at = excluded.resolved_at, is_open = excluded.is_open, last_at = excluded.last_at,
        outage = excluded.outage`,
    values: [source, outage_id, opened_at, resolved_at, state === 'open', JSON.stringify(outage)],
  });
}

/** The rows of an outage, oldest first; with `last`, only the newest ones. */
export async function readRows(
  queries: Queries,
  source: string,
  outageId: string,
  last: number | undefined = undefined,
): Promise<OutageRow[]> {
  const rows = await queries.query<{ row: string }>({
    name: 'read-outage-rows',
    text: `
      select row from outage_rows where source = $1 and outage_id = $2
      order by happened_at desc, id desc limit $3::bigint`,
    values: [source, outageId, last ?? null],
  });
  return rows.map(({ row }) => JSON.parse(row) as OutageRow).reverse();
}

export async function readOutage(queries: Queries, source: string, outageId: string): Promise<OutageState | undefined> {
  const [found] = await queries.query<{ outage: string }>({
    name: 'read-outage',
    text: 'select outage from outages where source = $1 and outage_id = $2',
    values: [source, outageId],
  });
  return found && (JSON.parse(found.outage) as OutageState);
}

export interface OutagesQuestion {
  readonly range: { readonly from: string; readonly to: string } | undefined;
  readonly isOpen: boolean;
  readonly after: OutageKey | undefined;
  readonly size: number;
}

/** Outages, newest first, then by source and id. */
export async function listOutages(
  queries: Queries,
  { range, isOpen, after, size }: OutagesQuestion,
): Promise<OutageState[]> {
  const rows = await queries.query<{ outage: string }>({
    name: 'list-outages',
    text: `
      select outage from outages
      where ($1::timestamptz is null or resolved_at is null or resolved_at >= $1)
        and ($2::timestamptz is null or opened_at < $2) and (not $3 or is_open)
        and ($4::timestamptz is null or opened_at < $4
          or (opened_at = $4 and (source, outage_id) > ($5::text collate "C", $6::text collate "C")))
      order by opened_at desc, source, outage_id limit $7`,
    values: [
      range?.from ?? null,
      range?.to ?? null,
      isOpen,
      after?.openedAt ?? null,
      after?.source ?? null,
      after?.outageId ?? null,
      size,
    ],
  });
  return rows.map(({ outage }) => JSON.parse(outage) as OutageState);
}

/** All outages. */
export async function listAllOutages(queries: Queries): Promise<OutageState[]> {
  const rows = await queries.query<{ outage: string }>({
    name: 'list-all-outages',
    text: 'select outage from outages order by opened_at desc, source, outage_id',
  });
  return rows.map(({ outage }) => JSON.parse(outage) as OutageState);
}

/** The outages with a resolution before their first opening. */
export function listResolvedEarly(queries: Queries): Promise<{ source: string; outage_id: string }[]> {
  return queries.query({
    name: 'list-resolved-early',
    text: `
      select source, outage_id from (
        select source, outage_id, row::json ->> 'state' as state, row_number() over outage as place
        from outage_rows window outage as (partition by source, outage_id order by happened_at, id)
      ) row
      group by source, outage_id
      having min(place) filter (where state = 'resolved') < min(place) filter (where state = 'opened')`,
  });
}

/** A string that changes whenever an outage or a bad version does. */
export async function outageRevision(queries: Queries): Promise<string> {
  const { revision } = await oneRow<{ revision: string }>(queries, {
    name: 'outage-revision',
    text: `
      select concat_ws(' ', (select id from outage_rows order by id desc limit 1), (select count(*) from outages),
        (select id from holds where kind = 'bad' order by id desc limit 1),
        (select count(*) from holds where kind = 'bad'),
        (select count(*) from hold_releases), (select max(at) from hold_releases)) as revision`,
  });
  return revision;
}

const success = `id, service, environment, deployment_id, ${instantText('happened_at')} as at`;

const upTo = (value: string) => `(${value}::uuid is null or id < ${value})`;

/** The successes of these deployments, oldest first. @param below only events before this id count. */
export function successesOfDeployments(
  queries: Queries,
  deploymentIds: readonly string[],
  below: string | undefined,
): Promise<Success[]> {
  return queries.query<Success>({
    name: 'successes-of-deployments',
    text: `
      select ${success} from deployments
      where deployment_id = any($1::text[]) and status = 'success' and ${upTo('$2')}
      order by happened_at, id`,
    values: [deploymentIds, below ?? null],
  });
}

/** A success, and what names its release. */
export interface NewSuccess extends Success {
  readonly version: string | null;
  readonly sha: string | null;
}

/** The successes with ids from `from` (inclusive) to `below` (exclusive), at most `limit`. */
export function successesBetween(
  queries: Queries,
  { from, below, limit }: { readonly from: string; readonly below: string; readonly limit: number },
): Promise<NewSuccess[]> {
  return queries.query<NewSuccess>({
    name: 'successes-between',
    text: `
      select ${success}, ${member('version')} as version, ${member('sha')} as sha
      from (select * from deployments where id >= $1 and id < $2 order by id) row
      where status = 'success' limit $3`,
    values: [from, below, limit],
  });
}

interface NamedRelease {
  readonly service: string;
  /** A version or a sha. */
  readonly version: string;
}

const isOfRelease = `service = named_service and status = 'success' and ${upTo('$3')}
  and asked in (event::json ->> 'version', event::json ->> 'sha')`;

/** The successes of these releases, oldest first, each with the version or sha that was requested. */
export function successesOfReleases(
  queries: Queries,
  releases: readonly NamedRelease[],
  below: string | undefined,
): Promise<(Success & { readonly asked: string })[]> {
  return queries.query({
    name: 'successes-of-releases',
    text: `
      with folded as materialized (select ${unfoldedFrom} as until), unfolded as materialized (
        select id, service, environment, deployment_id, happened_at, status, event from deployments
        where id >= (select until from folded) and service = any($1) and status = 'success' order by id
      )
      select asked, found.* from unnest($1::text[], $2::text[]) as named (named_service, asked)
      cross join lateral (
        select row.* from (
          select deployment_id from release_deployments
          where service = named_service and release in (
            select 'v' || asked union select release from release_shas where service = named_service and sha = asked)
          group by deployment_id offset 0
        ) link
        cross join lateral (
          select ${success}, happened_at from deployments
          where deployment_id = link.deployment_id and id < (select until from folded) and ${isOfRelease} offset 0
        ) row
        union all
        select ${success}, happened_at from unfolded where ${isOfRelease}
      ) found
      order by happened_at, id`,
    values: [releases.map(({ service }) => service), releases.map(({ version }) => version), below ?? null],
  });
}

/** A service of an outage and its environments. */
export interface OutagePlace {
  /** The outage's own number. */
  readonly index: number;
  readonly service: string;
  readonly environments: readonly string[];
  readonly openedAt: string;
}

interface SuspectQuestion {
  readonly places: readonly OutagePlace[];
  readonly hours: number;
  readonly below: string | undefined;
}

/** The last success in each environment of each place, at most `hours` before the outage opened. */
export function lastSuccesses(
  queries: Queries,
  { places, hours, below }: SuspectQuestion,
): Promise<(Success & { readonly place: number })[]> {
  const slots = places.flatMap(({ service, environments, openedAt }, place) =>
    environments.map((environment) => [place, service, environment, openedAt] as const),
  );
  return queries.query({
    name: 'last-successes',
    text: `
      select place, id, service, environment, deployment_id, at from unnest($1::int[], $2::text[], $3::text[], $4::timestamptz[])
        as slot (place, slot_service, slot_environment, opened_at)
      cross join lateral (
        select ${success}, happened_at from deployments
        where service = slot_service and environment = slot_environment and status = 'success' and ${upTo('$6')}
          and happened_at <= opened_at
        order by happened_at desc, id desc limit 1
      ) last
      where last.happened_at >= opened_at - $5::float8 * interval '1 hour'`,
    values: [...[0, 1, 2, 3].map((column) => slots.map((slot) => slot[column])), hours, below ?? null],
  });
}

/** Removes outages, with their rows, whose latest row is older than the retention period of events. */
export async function pruneOutages(queries: Queries, retentionDays: number): Promise<void> {
  await queries.query({
    name: 'prune-outages',
    text: `
      with old as (
        delete from outages where last_at < clock_timestamp() - $1::int * interval '1 day'
        returning source, outage_id
      )
      delete from outage_rows using old
      where outage_rows.source = old.source and outage_rows.outage_id = old.outage_id`,
    values: [retentionDays],
  });
}
