import { acksChannel, streams } from '@shiplog/contract';
import type { ComponentReport } from '../domain/component-report.ts';
import type { Queries, Statement } from './database.ts';

/** Needs one round trip per batch, as for deployments. Ids are assigned under the lock of this log. */
const statement: Statement = {
  name: 'append-component-events',
  text: `
    with input as (
      select * from json_to_recordset($1::json) as row (
        n int, component_id text, correlation_id text, event_type text, state text, head text, rest text)
    ), head as (
      update log_heads
      set last_tick = greatest(last_tick + 1, log_tick(clock_timestamp())) + $2::int - 1
      where log = 'components'
      returning last_tick - $2::int + 1 as first_tick
    ), numbered as materialized (
      select log_id(first_tick + n) as id, log_instant(first_tick + n) as received_at, input.*
      from input cross join head
    ), stored as (
      insert into component_reports (id, component_id, correlation_id, event_type, state, record)
      select id, component_id, correlation_id, event_type, state,
        '{"id":"' || id || '",' || head || ',"received_at":"' || received_at || '"' || rest
      from numbered
    ), notice as (
      select pg_notify('${streams.components.channel}', max(id::text)) from numbered
    ), acks as (
      select pg_notify('${acksChannel}', max(id::text)) from numbered where event_type = 'reset-ack' having count(*) > 0
    )
    select numbered.id from numbered cross join notice left join acks on true order by numbered.n`,
};

/** Appends a batch. Returns the ids in batch order when the batch is committed and flushed. */
export async function appendComponentEvents(queries: Queries, batch: readonly ComponentReport[]): Promise<string[]> {
  const rows = batch.map((report, n) => ({
    n,
    component_id: report.componentId,
    correlation_id: report.correlationId,
    event_type: report.eventType,
    state: report.state,
    head: report.jsonHead,
    rest: report.jsonRest,
  }));
  const stored = await queries.query<{ id: string }>({ ...statement, values: [JSON.stringify(rows), batch.length] });
  return stored.map((row) => row.id);
}

export interface ComponentEventFilter {
  readonly componentId?: string | undefined;
  readonly eventType?: string | undefined;
  readonly correlationId?: string | undefined;
}

export interface RecordsRequest {
  readonly before: string | undefined;
  readonly size: number;
}

/** A page of recent records (reading 7.8). */
export function listComponentEvents(queries: Queries, filter: ComponentEventFilter, { before, size }: RecordsRequest) {
  const values: unknown[] = [size + 1];
  const and = (comparison: string, value: string | undefined) =>
    value === undefined ? '' : `and ${comparison} $${values.push(value)}`;
  const text = `
    select id, record from component_reports
    where id >= (select log_floor(clock_timestamp() - interval '${streams.components.replayHours} hours'))
      ${and('component_id =', filter.componentId)} ${and('event_type =', filter.eventType)}
      ${and('correlation_id =', filter.correlationId)} ${and('id <', before)}
    order by id desc limit $1`;
  return readRecords(queries, { text, values }, size);
}

/**
 * A page of records as JSON, newest first, and the id of the last one if there are more.
 * @param statement selects `id` and `record` with one extra row.
 */
export async function readRecords(queries: Queries, statement: Statement, size: number) {
  const rows = await queries.query<{ id: string; record: string }>(statement);
  return {
    records: rows.slice(0, size).map(({ record }) => record),
    next: rows.length > size ? rows[size - 1]?.id : undefined,
  };
}
