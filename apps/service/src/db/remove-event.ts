import type { ComponentReport } from '../domain/component-report.ts';
import { appendComponentEvents, type RecordsRequest, readRecords } from './component-events.ts';
import type { Queries, Session } from './database.ts';
import { derivedOfRemoved } from './retention.ts';

export interface Removal {
  readonly id: string;
  readonly reason: string;
  /** Announces the removal to components. */
  readonly report: ComponentReport;
}

type RemovedRow = Readonly<Record<'service' | 'environment' | 'status', string>>;

/**
 * Removes one event and all data derived from it, and stores it in `removals` (reading 8.7). Returns whether the event
 * existed. Other rows of its slot may remain, so their latest row is restored. `removed_id` is not changed,
 * because a stream that resumes from before the event doesn't miss any other event. An event that a restored backup
 * brought back can be removed again; the record of its last removal is kept.
 */
export function removeEvent(session: Session, { id, reason, report }: Removal): Promise<boolean> {
  return session.transaction(async (queries) => {
    await queries.query({ text: `select from log_heads where log = 'deployments' for update` });
    const [removed] = await queries.query<RemovedRow>({
      name: 'remove-event',
      text: `
        with removed as (
          delete from deployments where id = $1
          returning id, service, environment, status, event
        ), ${derivedOfRemoved('')}, recorded as (
          insert into removals (id, event_id, record)
          select log_id(last_tick), removed.id, '{"event":' || event || ',"reason":' || $2::text
            || ',"removed_at":"' || log_instant(last_tick) || '"}'
          from removed cross join head
          on conflict (event_id) do update set id = excluded.id, record = excluded.record
        )
        select service, environment, status from removed`,
      values: [id, JSON.stringify(reason)],
    });
    if (!removed) return false;
    await restoreLatest(queries, removed);
    await appendComponentEvents(queries, [report]);
    return true;
  });
}

async function restoreLatest(queries: Queries, { service, environment, status }: RemovedRow): Promise<void> {
  await queries.query({
    name: 'restore-latest',
    text: `
      insert into latest_deployments (service, environment, status, happened_at, id)
      select service, environment, status, happened_at, id from deployments
      where service = $1 and environment = $2 and status = $3
      order by happened_at desc, id desc limit 1
      on conflict (service, environment, status) do nothing`,
    values: [service, environment, status],
  });
}

export function listRemovals(queries: Queries, { before, size }: RecordsRequest) {
  const text = 'select id, record from removals where $1::uuid is null or id < $1 order by id desc limit $2';
  return readRecords(queries, { name: 'list-removals', text, values: [before ?? null, size + 1] }, size);
}
