import { oneRow, type Queries } from '../database.ts';
import { stepRowsMax } from './step.ts';

/** A build of the folds: how many events they have, and about how many the log has. */
export interface FoldProgress {
  readonly events: number;
  readonly total: number;
}

/** More missing events than this are estimated, because counting 100 million takes long. */
const countedMax = 100_000;

/** How many events the folds don't have yet, and the progress if they are more than a step adds. */
export async function foldProgress(queries: Queries): Promise<{ missing: number; progress: FoldProgress | undefined }> {
  const { missing, events, estimate } = await oneRow<{
    missing: number;
    events: number | null;
    estimate: number | null;
  }>(queries, {
    name: 'fold-progress',
    text: `
        with missing as materialized (
          select from deployments where id >= (select tick_floor(greatest(tick, -1) + 1) from folds) limit ${countedMax + 1}
        ), counted as materialized (
          select count(*)::int as missing from missing
        )
        select missing, case when missing > ${stepRowsMax} then (
            select coalesce(sum(events) filter (where tick >= 0), 0) from event_counts cross join folds
            where dimension = 'status'
          ) end::float8 as events,
          case when missing > ${countedMax} then (
            select reltuples / nullif(relpages, 0) * pg_relation_size(oid) / current_setting('block_size')::int
            from pg_class where oid = 'deployments'::regclass
          ) end::float8 as estimate
        from counted`,
  });
  if (events === null) return { missing, progress: undefined };
  const total = Math.max(events + missing, Math.round(estimate ?? 0));
  return { missing: total - events, progress: { events, total } };
}

export async function foldedEvents(queries: Queries): Promise<number> {
  const text = `select coalesce(sum(events), 0)::float8 as events from event_counts where dimension = 'status'`;
  return (await oneRow<{ events: number }>(queries, { text })).events;
}
