with input as (
  select * from json_to_recordset($1::json) as row (
    n int, deployment_id text, service text, environment text, status text, happened_at timestamptz,
    actor text, parents text[], rest text)
), head as (
  update log_heads
  set last_tick = greatest(last_tick + 1, log_tick(clock_timestamp())) + $2::int - 1
  where log = 'deployments' and (gate_until is null or gate_until <= clock_timestamp())
  returning last_tick - $2::int + 1 as first_tick
), numbered as materialized (
  select log_id(head.first_tick + input.n) as id, input.* from input cross join head
), stored as (
  insert into deployments (id, deployment_id, service, environment, status, happened_at, parents, event)
  select id, deployment_id, service, environment, status, happened_at, parents, '{"id":"' || id || '",' || rest
  from numbered
), latest as (
  insert into latest_deployments (service, environment, status, happened_at, id)
  select distinct on (service, environment, status) service, environment, status, happened_at, id
  from numbered
  order by service, environment, status, happened_at desc, id desc
  on conflict (service, environment, status) do update
  set happened_at = excluded.happened_at, id = excluded.id
  where (excluded.happened_at, excluded.id) > (latest_deployments.happened_at, latest_deployments.id)
), counts as (
  insert into hourly_counts (dimension, hour, name, rows)
  select dimension, hour_of(happened_at), name, count(*)
  from numbered cross join lateral (values ('status', status), ('actor', coalesce(actor, 'unknown')))
    as counted (dimension, name)
  group by 1, 2, 3
  on conflict (dimension, hour, name) do update set rows = hourly_counts.rows + excluded.rows
), notice as (
  select pg_notify('deployment_events', max(id::text)) from numbered
)
select numbered.id from numbered cross join notice order by numbered.n
