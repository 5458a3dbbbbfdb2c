import type { Stage } from './stage.ts';

export interface Filling {
  readonly rows: number;
  /** Rows are spread evenly over so many days before now. */
  readonly days: number;
  readonly services: number;
  readonly environments: number;
}

/** An id as the service makes them, for a row of the past. */
const id = `(lpad(to_hex(1700000000000 + n), 12, '0') || '7000' || right(gen_random_uuid()::text, 17))::uuid`;

/**
 * Fills the log anew, straight in the database, and brings the derived tables in line with it. Deployments have two rows
 * each: in progress, then success or (one in eight) failure. Each was promoted from the deployment of its service in
 * the environment before.
 */
export async function fill(stage: Stage, filling: Filling): Promise<void> {
  await stage.sql.query('truncate deployments, latest_deployments, hourly_counts');
  await stage.sql.query(
    `insert into deployments (id, deployment_id, service, environment, status, happened_at, parents, event)
     select id, deployment_id, service, environment, status, happened_at, parents, json_build_object(
       'id', id, 'deployment_id', deployment_id, 'service', service, 'environment', environment, 'version', version,
       'status', status, 'happened_at', to_char(happened_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
       'run_url', 'https://ci.example.com/runs/' || n, 'actor', actor, 'ref', 'refs/heads/main', 'parent_deployments', coalesce(parents, '{}'))::text
     from (
       select n, ${id} as id, 'gha-' || n / 2 as deployment_id, 'service-' || slot % $3::int as service,
         'env-' || slot / $3::int as environment, '1.' || n / 1000 || '.' || n % 1000 as version,
         case when n % 2 = 0 then 'in-progress'
           when (n / 2 + n / 2 / ($3::int * $4::int)) % 8 = 7 then 'failure' else 'success' end as status,
         now() - ($1::bigint - n) * ($2::int * interval '1 day') / $1::bigint as happened_at, 'actor-' || n % 40 as actor,
         case when slot >= $3::int and n / 2 >= $3::int then array['gha-' || n / 2 - $3::int] end as parents
       from (select n, (n / 2) % ($3::int * $4::int) as slot from generate_series(1, $1::bigint) n) numbered
     ) made`,
    [filling.rows, filling.days, filling.services, filling.environments],
  );
  await stage.sql.query(
    `insert into latest_deployments (service, environment, status, happened_at, id)
     select distinct on (service, environment, status) service, environment, status, happened_at, id
     from deployments order by service, environment, status, happened_at desc, id desc`,
  );
  await stage.sql.query(
    `insert into hourly_counts (dimension, hour, name, rows)
     select dimension, hour_of(happened_at), name, count(*)
     from deployments
     cross join lateral (values ('status', status), ('actor', event::json ->> 'actor')) as counted (dimension, name)
     group by 1, 2, 3`,
  );
  await stage.sql.query(`update log_heads set last_tick = greatest(last_tick, log_tick(now()))`);
  await stage.sql.query('vacuum analyze deployments, latest_deployments, hourly_counts');
}
