import type { Hold, HoldKind, HoldRequest } from '@shiplog/contract';
import type { ComponentReport } from '../domain/component-report.ts';
import { appendComponentEvents } from './component-events.ts';
import { oneRow, type Queries, type Sessions } from './database.ts';
import { instantText, newId } from './log-mark.ts';

/** The columns of a hold in the order of the response, with its release and exceptions. */
const holdJson = `
  json_build_object('id', hold.id, 'kind', kind, 'services', services, 'environments', environments, 'version', version,
    'from', ${instantText('begins_at')}, 'until', ${instantText('ends_at')}, 'reason', hold.reason, 'url', url,
    'by', hold.by, 'source', source, 'source_id', source_id, 'created_at', ${instantText('hold.created_at')},
    'released', case when release.hold_id is not null then json_build_object(
      'at', ${instantText('release.at')}, 'by', release.by, 'reason', release.reason) end,
    'exceptions', coalesce((
      select json_agg(json_build_object('id', id, 'services', services, 'until', ${instantText('until')},
        'reason', reason, 'by', by, 'created_at', ${instantText('created_at')}) order by id)
      from hold_exceptions where hold_id = hold.id
    ), '[]'))`;

const withRelease = 'holds hold left join hold_releases release on release.hold_id = hold.id';

/** The end of the span: the hold's own end or its release, whichever is earlier (holds.md 6.1). */
const spanEnd = 'least(ends_at, release.at)';

/** A hold, and whether it is over by the database's clock, which decides what may still be done. */
export interface HoldState {
  readonly hold: Hold;
  readonly isOver: boolean;
}

export interface NewHold extends Omit<HoldRequest, 'from' | 'until' | 'by'> {
  readonly from: string | undefined;
  readonly until: string | undefined;
  readonly by: string | undefined;
}

/** Stores a hold and reports it. Returns its id. */
export function makeHold(writes: Sessions, hold: NewHold, reportOf: (hold: Hold) => ComponentReport): Promise<Hold> {
  return writes.session((session) =>
    session.transaction(async (queries) => {
      const { id } = await oneRow<{ id: string }>(queries, {
        name: 'make-hold',
        text: `
          insert into holds (id, kind, services, environments, version, begins_at, ends_at, reason, url, by, source,
            source_id, created_at)
          select ${newId}, $1, $2, $3, $4, coalesce($5::timestamptz, now), $6, $7, $8, $9, $10, $11, now
          from (select clock_timestamp() as now) clock returning id`,
        values: [
          hold.kind,
          hold.services,
          hold.environments,
          hold.version ?? null,
          hold.from ?? null,
          hold.until ?? null,
          hold.reason,
          hold.url ?? null,
          hold.by ?? null,
          hold.source ?? null,
          hold.source_id ?? null,
        ],
      });
      const made = (await readHold(queries, id)) as Hold;
      await appendComponentEvents(queries, [reportOf(made)]);
      return made;
    }),
  );
}

export async function readHold(queries: Queries, id: string): Promise<Hold | undefined> {
  const [row] = await queries.query<{ hold: Hold }>({
    name: 'read-hold',
    text: `select ${holdJson} as hold from ${withRelease} where hold.id = $1`,
    values: [id],
  });
  return row?.hold;
}

/** A hold whose row is locked, so that acts about it are serialized. */
export async function lockHold(queries: Queries, id: string): Promise<HoldState | undefined> {
  const [row] = await queries.query<HoldState>({
    name: 'lock-hold',
    text: `
      select ${holdJson} as hold,
        release.hold_id is not null or coalesce(ends_at <= clock_timestamp(), false) as "isOver"
      from ${withRelease} where hold.id = $1`,
    values: [id],
  });
  return row;
}

/** Serializes acts about holds. */
export async function takeHoldLock(queries: Queries): Promise<void> {
  await queries.query({ text: `select pg_advisory_xact_lock(${holdLockKey})` });
}

/** An arbitrary key that is not used elsewhere in the database. */
const holdLockKey = 7_214_803_123;

export async function storeRelease(
  queries: Queries,
  id: string,
  { by, reason }: { readonly by: string | null; readonly reason: string | null },
): Promise<void> {
  await queries.query({
    name: 'release-hold',
    text: 'insert into hold_releases (hold_id, at, by, reason) values ($1, clock_timestamp(), $2, $3)',
    values: [id, by, reason],
  });
}

export async function storeException(
  queries: Queries,
  id: string,
  exception: {
    readonly services: readonly string[];
    readonly until: string;
    readonly reason: string;
    readonly by: string | null;
  },
): Promise<void> {
  await queries.query({
    name: 'except-hold',
    text: `
      insert into hold_exceptions (id, hold_id, services, until, reason, by, created_at)
      values (${newId}, $1, $2, $3, $4, $5, clock_timestamp())`,
    values: [id, exception.services, exception.until, exception.reason, exception.by],
  });
}

/** The bad versions that were not taken back, including those that are over. */
export async function listBadVersions(queries: Queries): Promise<Hold[]> {
  const rows = await queries.query<{ hold: Hold }>({
    name: 'list-bad-versions',
    text: `select ${holdJson} as hold from ${withRelease} where kind = 'bad' and release.hold_id is null order by hold.id`,
  });
  return rows.map(({ hold }) => hold);
}

export interface HoldsQuestion {
  /** RFC 3339 in UTC. A span that overlaps [`from`, `to`) counts. */
  readonly from: string;
  readonly to: string;
  /** Whether a hold that begins at `to` counts. */
  readonly isClosed: boolean;
  readonly kinds: readonly HoldKind[] | undefined;
  readonly source: string | undefined;
}

/** The holds whose span overlaps a period, by start and id. */
export async function listHolds(
  queries: Queries,
  { from, to, isClosed, kinds, source }: HoldsQuestion,
): Promise<Hold[]> {
  const rows = await queries.query<{ hold: Hold }>({
    name: 'list-holds',
    text: `
      select ${holdJson} as hold from ${withRelease}
      where (begins_at < $2::timestamptz or ($5 and begins_at = $2))
        and (${spanEnd} is null or (${spanEnd} > $1::timestamptz and ${spanEnd} > begins_at))
        and ($3::text[] is null or kind = any($3)) and ($4::text is null or source = $4)
      order by begins_at, hold.id`,
    values: [from, to, kinds ?? null, source ?? null, isClosed],
  });
  return rows.map(({ hold }) => hold);
}

/** Removes holds that ended before the retention period; those without an end are kept. */
export async function pruneHolds(queries: Queries, retentionDays: number): Promise<void> {
  await queries.query({
    name: 'prune-holds',
    text: `
      delete from holds where id in (
        select hold.id from ${withRelease} where ${spanEnd} < clock_timestamp() - $1::int * interval '1 day'
      )`,
    values: [retentionDays],
  });
}

/** The database's clock, RFC 3339 in UTC. */
export async function holdClock(queries: Queries): Promise<string> {
  const { now } = await oneRow<{ now: string }>(queries, {
    name: 'hold-clock',
    text: `select ${instantText('clock_timestamp()')} as now`,
  });
  return now;
}
