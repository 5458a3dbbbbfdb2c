import { streams } from '@shiplog/contract';
import type { PruneRun } from '../domain/prune-doubt.ts';
import type { Queries, Session } from './database.ts';
import { FoldsBehind } from './errors.ts';

/**
 * Parts of a statement. They update the data derived from the rows in `removed`, and advance the log's tick to
 * invalidate earlier results.
 * @param head further assignments for the log's row.
 */
export const derivedOfRemoved = (head: string) => `
  forgotten as (
    delete from latest_deployments where id in (select id from removed)
  ), head as (
    update log_heads
    set ${head} last_tick = greatest(last_tick + 1, log_tick(clock_timestamp())), removed_tick = last_tick + 1
    where log = 'deployments' and exists (select from removed)
    returning last_tick
  )`;

/** An arbitrary key that is not used elsewhere in the database. */
export const pruneLockKey = 7_214_803_120;

/** If more events than this are missing from the folds, the folds say little about the log. */
const behindMax = 10_000;

/** The start of a retention period of `$1` days. */
const boundary = `(select clock_timestamp() - $1::int * interval '1 day')`;

/**
 * What a pruning run would remove, or `undefined` if no row is too old. Reads mostly the hourly counts.
 * @throws FoldsBehind while these are being built.
 */
export async function pruneRun(queries: Queries, retentionDays: number): Promise<PruneRun | undefined> {
  const [run] = await queries.query<PruneRun & { isBehind: boolean }>({
    text: `
      with ends as materialized (
        select at, hour_of(at) as hour, oldest, newest from (select ${boundary} as at) retention,
          (select happened_at as oldest from deployments order by happened_at limit 1) first,
          (select id as newest from deployments order by id desc limit 1) last
      ), fresh as materialized (
        select happened_at from folds join deployments on id >= tick_floor(tick + 1) limit ${behindMax + 1}
      ), counted as (
        select coalesce(sum(events), 0) as total, coalesce(sum(events) filter (where counts.hour < ends.hour), 0) as before
        from event_counts counts, ends where dimension = 'status'
      )
      select (total + (select count(*) from fresh))::float8 as total,
        (before + (select count(*) from fresh where hour_of(happened_at) < ends.hour) + (
          select count(*) from deployments
          where happened_at >= to_timestamp(ends.hour * 3600.0) and happened_at < ends.at
        ))::float8 as rows,
        (extract(epoch from clock_timestamp()) * 1000 - arrival_ms(newest))::float8 as "quietMs",
        (extract(epoch from at - oldest) * 1000)::float8 as "overdueMs",
        (select count(*) > ${behindMax} from fresh) as "isBehind"
      from ends, counted where oldest < at`,
    values: [retentionDays],
  });
  if (!run) return undefined;
  const { isBehind, ...found } = run;
  if (isBehind) throw new FoldsBehind();
  return found;
}

/**
 * Deletes the oldest events beyond the retention, at most `rowsMax`, and all data derived from them. Returns the number
 * of deleted events. Deletes the oldest first, so when the latest row of a slot and status or of a release is deleted,
 * no other rows of it are left. Locks the log before reading its rows, so that late events from an append that was
 * holding the lock are visible too. Finds the oldest row before locking, so that appends don't wait while the search
 * skips index entries of pruned rows. These entries stay until a vacuum.
 */
export async function pruneEvents(
  session: Session,
  { retentionDays, rowsMax }: { readonly retentionDays: number; readonly rowsMax: number },
): Promise<number> {
  const [oldest] = await session.query<{ since: string; head: string }>({
    text: `
      select happened_at::text as since, (select id from deployments order by id desc limit 1) as head from deployments
      where happened_at < ${boundary} order by happened_at limit 1`,
    values: [retentionDays],
  });
  if (!oldest) return 0;
  return session.transaction(async (queries) => {
    await queries.query({ text: `select from log_heads where log = 'deployments' for update` });
    const [row] = await queries.query<{ count: number }>({
      text: `
        with fresh as materialized (
          select happened_at, id from deployments where id > $4
        ), removed as (
          delete from deployments where id in (
            select id from (
              (select happened_at, id from deployments
                where happened_at >= $3::timestamptz and happened_at < ${boundary}
                order by happened_at, id limit $2)
              union all
              select happened_at, id from fresh where happened_at < $3::timestamptz
            ) candidates
            order by happened_at, id limit $2
          )
          returning id
        ), ${derivedOfRemoved('removed_id = greatest(removed_id, (select id from removed order by id desc limit 1)),')}
        select count(*)::int as count from removed`,
      values: [retentionDays, rowsMax, oldest.since, oldest.head],
    });
    return row?.count ?? 0;
  });
}

/** The logs that keep rows only for a few hours, and their tables. */
const purged = { control: 'control_frames', components: 'component_reports' } as const;
export type PurgedLog = keyof typeof purged;
export const purgedLogs = Object.keys(purged) as PurgedLog[];

/** Deletes the oldest rows that are too old to replay, at most `rowsMax`. Returns the number of deleted rows. */
export async function purgeLog(queries: Queries, log: PurgedLog, rowsMax: number): Promise<number> {
  const [row] = await queries.query<{ count: number }>({
    text: `
      with removed as (
        delete from ${purged[log]} where id in (
          select id from ${purged[log]}
          where id < (select log_floor(clock_timestamp() - interval '${streams[log].replayHours} hours'))
          order by id limit $1
        )
        returning id
      ), head as (
        update log_heads set removed_id = greatest(removed_id, (select id from removed order by id desc limit 1))
        where log = '${log}' and exists (select from removed)
      )
      select count(*)::int as count from removed`,
    values: [rowsMax],
  });
  return row?.count ?? 0;
}
