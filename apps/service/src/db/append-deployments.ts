import { streams } from '@shiplog/contract';
import type { StoredEvent } from '../domain/stored-event.ts';
import type { Queries, Statement } from './database.ts';

/**
 * One statement, one transaction, one round trip for a whole batch. `head` takes the lock of the log by updating its
 * row and gets the ticks for the batch from it: READ COMMITTED reads that row anew once the lock is granted. Everything
 * else hangs on `head`, so it happens under the lock, and the lock ends with the commit. That is why ids are in commit
 * order (reading 3.4); an id made before the lock would not be.
 */
const statement: Statement = {
  name: 'append-deployments',
  text: `
    with input as (
      select * from json_to_recordset($1::json) as row (
        n int, deployment_id text, service text, environment text, status text, happened_at timestamptz, rest text)
    ), head as (
      update log_heads
      set last_tick = greatest(last_tick + 1, log_tick(clock_timestamp())) + $2::int - 1
      where log = 'deployments'
      returning last_tick - $2::int + 1 as first_tick
    ), numbered as materialized (
      select log_id(head.first_tick + input.n) as id, input.* from input cross join head
    ), stored as (
      insert into deployments (id, deployment_id, service, environment, status, happened_at, event)
      select id, deployment_id, service, environment, status, happened_at, '{"id":"' || id || '",' || rest
      from numbered
    ), latest as (
      insert into latest_deployments (service, environment, status, happened_at, id)
      select distinct on (service, environment, status) service, environment, status, happened_at, id
      from numbered
      order by service, environment, status, happened_at desc, id desc
      on conflict (service, environment, status) do update
      set happened_at = excluded.happened_at, id = excluded.id
      where (excluded.happened_at, excluded.id) > (latest_deployments.happened_at, latest_deployments.id)
    ), notice as (
      select pg_notify('${streams.deployments.channel}', max(id::text)) from numbered
    )
    select numbered.id from numbered cross join notice order by numbered.n`,
};

/** Appends a batch and gives the ids in its order, once it is committed and flushed. */
export async function appendDeployments(queries: Queries, batch: readonly StoredEvent[]): Promise<string[]> {
  const rows = batch.map((event, n) => ({
    n,
    deployment_id: event.deploymentId,
    service: event.service,
    environment: event.environment,
    status: event.status,
    happened_at: event.happenedAt,
    rest: event.jsonRest,
  }));
  const stored = await queries.query<{ id: string }>(statement, [JSON.stringify(rows), batch.length]);
  return stored.map((row) => row.id);
}
