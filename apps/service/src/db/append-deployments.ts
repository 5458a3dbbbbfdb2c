import { type StoredEvent, streams, unknownActor } from '@shiplog/contract';
import type { Queries, Statement } from './database.ts';

/**
 * One statement, one transaction, one round trip for a whole batch. `head` takes the lock of the log by updating its
 * row and gets the ticks for the batch from it: READ COMMITTED reads that row anew once the lock is granted. Everything
 * else hangs on `head`, so it happens under the lock, and the lock ends with the commit. That is why ids are in commit
 * order (reading 3.4); an id made before the lock would not be.
 *
 * The condition on the gate is evaluated twice (reading 7.6). On the row as the statement finds it, it refuses posts at
 * once while a reset clears the log. On the row as it is under the lock, it refuses those that waited for the clearing.
 */
const statement: Statement = {
  name: 'append-deployments',
  text: `
    with input as (
      select * from json_to_recordset($1::json) as row (
        n int, deployment_id text, service text, environment text, status text, happened_at timestamptz,
        actor text, parents text[], release text, sha text, reporter text,
        rest text)
    ), head as (
      update log_heads
      set last_tick = greatest(last_tick + 1, log_tick(clock_timestamp())) + $2::int - 1
      where log = 'deployments' and (gate_until is null or gate_until <= clock_timestamp())
      returning last_tick, last_tick - $2::int + 1 as first_tick
    ), numbered as materialized (
      select log_id(head.first_tick + input.n) as id, hour_of(happened_at) as hour, head.last_tick, input.*
      from input cross join head
    ), stored as (
      insert into deployments (id, deployment_id, service, environment, status, happened_at, parents, release, reporter,
        event)
      select id, deployment_id, service, environment, status, happened_at, parents, release, reporter,
        '{"id":"' || id || '",' || rest
      from numbered
    ), latest as (
      insert into latest_deployments (service, environment, status, happened_at, id)
      select distinct on (service, environment, status) service, environment, status, happened_at, id
      from numbered
      order by service, environment, status, happened_at desc, id desc
      on conflict (service, environment, status) do update
      set happened_at = excluded.happened_at, id = excluded.id
      where (excluded.happened_at, excluded.id) > (latest_deployments.happened_at, latest_deployments.id)
    ), released as (
      insert into releases (service, release, sha, last_at, last_id)
      select distinct on (service, release, sha) service, release, sha, happened_at, id
      from numbered where release is not null
      order by service, release, sha, happened_at desc, id desc
      on conflict (service, release, sha) do update
      set last_at = excluded.last_at, last_id = excluded.last_id
      where (excluded.last_at, excluded.last_id) > (releases.last_at, releases.last_id)
    ), counts as (
      insert into hourly_counts (dimension, hour, name, rows, tick)
      select dimension, hour, name, count(*), max(last_tick)
      from numbered cross join lateral (values ('status', status), ('actor', coalesce(actor, '${unknownActor}')))
        as counted (dimension, name)
      group by 1, 2, 3
      on conflict (dimension, hour, name) do update
      set rows = hourly_counts.rows + excluded.rows, tick = excluded.tick
    ), notice as (
      select pg_notify('${streams.deployments.channel}', max(id::text)) from numbered
    )
    select numbered.id from numbered cross join notice order by numbered.n`,
};

/** A reset keeps the log closed; nothing of the batch was stored. */
export class GateClosed extends Error {}

/**
 * Appends a batch and gives the ids in its order, once it is committed and flushed.
 * @throws GateClosed while a reset clears the log.
 */
export async function appendDeployments(queries: Queries, batch: readonly StoredEvent[]): Promise<string[]> {
  const rows = batch.map((event, n) => ({
    n,
    deployment_id: event.deploymentId,
    service: event.service,
    environment: event.environment,
    status: event.status,
    happened_at: event.happenedAt,
    actor: event.actor,
    parents: event.parents,
    release: event.release,
    sha: event.sha,
    reporter: event.reporter,
    rest: event.jsonRest,
  }));
  const stored = await queries.query<{ id: string }>(statement, [JSON.stringify(rows), batch.length]);
  if (stored.length === 0) throw new GateClosed('a reset is clearing the log');
  return stored.map((row) => row.id);
}
