import pg from 'pg';
import type { Stage } from './stage.ts';

export interface Filling {
  readonly rows: number;
  /** Rows are spread evenly over so many days before now. */
  readonly days: number;
  readonly services: number;
  readonly environments: number;
}

const connectionsMax = 2;
const chunkRows = 25_000;
/** A connection has one core to itself; indexes are sorted in memory. */
const session = '-c work_mem=64MB -c maintenance_work_mem=512MB -c max_parallel_maintenance_workers=0';

/**
 * Fills the log anew, straight in the database, with rows as the service stores them, and brings the derived tables in
 * line with it. Deployments have two rows each: in progress, then success or (one in eight) failure. Each was promoted
 * from the deployment of its service in the environment before. A release is deployed twice in each environment, in
 * each one later than in the one before.
 *
 * All indexes but the primary key are dropped and made again from their definitions: it takes a third of the time.
 */
export async function fill(stage: Stage, filling: Filling): Promise<void> {
  const pool = new pg.Pool({ connectionString: stage.databaseUrl, max: connectionsMax, options: session });
  try {
    await pool.query('truncate deployments, latest_deployments, releases, hourly_counts, kept_answers');
    const { rows: indexes } = await pool.query<{ name: string; definition: string }>(secondaryIndexes);
    await pool.query(`drop index ${indexes.map(({ name }) => name).join(', ')}`);
    await Promise.all(chunksOf(filling).map((values) => pool.query(chunk, values)));
    await Promise.all(indexes.map(({ definition }) => pool.query(definition)));
    await pool.query(latest, [filling.services, filling.environments]);
    await pool.query(releases);
    await pool.query('update log_heads set last_tick = greatest(last_tick, log_tick(now()))');
    await pool.query('vacuum analyze deployments, latest_deployments, releases, hourly_counts');
    // What the fill has left to write would otherwise be written while something is measured.
    await pool.query('checkpoint');
  } finally {
    await pool.end();
  }
}

/** The parameters of each chunk. */
function chunksOf({ rows, days, services, environments }: Filling): unknown[][] {
  const until = new Date();
  return Array.from({ length: Math.ceil(rows / chunkRows) }, (_, index) => {
    const from = index * chunkRows + 1;
    return [rows, days, services, environments, until, from, Math.min(from + chunkRows - 1, rows)];
  });
}

const secondaryIndexes = `
  select relname as name, pg_get_indexdef(oid) as definition
  from pg_class join pg_index on indexrelid = oid
  where indrelid = 'deployments'::regclass and not indisprimary`;

/** An id as the service makes them, for a row of the past. */
const id = `('0' || to_hex(1700000000000 + n) || '70008' || right(md5(n::text), 15))::uuid`;

/**
 * The rows $6 to $7 of the log, of which $1 are spread over the $2 days before $5, with $3 services and $4 environments.
 * Two chunks share an hour: each counts in the same order, so that none waits for one that waits for it.
 */
const chunk = `
  with numbered as (
    select n, (n / 2) % ($3::int * $4::int) as slot, n / 2 / ($3 * $4) as round from generate_series($6::bigint, $7::bigint) n
  ), placed as (
    select n, ${id} as id, 'gha-' || n / 2 as deployment_id, 'service-' || slot % $3 as service,
      'env-' || slot / $3 as environment, greatest(round - 3 * (slot / $3), 0) / 2 as release,
      case when n % 2 = 0 then 'in-progress' when (n / 2 + n / 2 / ($3 * $4)) % 8 = 7 then 'failure' else 'success' end as status,
      $5::timestamptz - ($1::bigint - n)::float8 / $1 * $2::int * interval '1 day' as happened_at, 'actor-' || n % 40 as actor,
      case when slot >= $3 and n / 2 >= $3 then 'gha-' || n / 2 - $3 end as parent
    from numbered
  ), made as materialized (
    select *, '1.' || release / 50 || '.' || release % 50 as version, md5(service || '@' || release) as sha from placed
  ), stored as (
    insert into deployments (id, deployment_id, service, environment, status, happened_at, parents, release, event)
    select id, deployment_id, service, environment, status, happened_at,
      case when parent is not null then array[parent] end, 'v' || version,
      format('{"id":"%s","deployment_id":"%s","service":"%s","environment":"%s","version":"%s","status":"%s",'
        '"happened_at":"%s","run_url":"https://ci.example.com/runs/%s","actor":"%s","ref":"refs/heads/main","sha":"%s"%s}',
        id, deployment_id, service, environment, version, status,
        to_char(happened_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), n, actor, sha,
        ',"parent_deployments":["' || parent || '"]')
    from made
  ), counted as (
    select hour_of(happened_at) as hour, status, actor, count(*) as rows from made group by 1, 2, 3
  )
  insert into hourly_counts (dimension, hour, name, rows)
  select dimension, hour, name, sum(rows)
  from counted cross join lateral (values ('status', status), ('actor', actor)) as named (dimension, name)
  group by 1, 2, 3 order by 1, 2, 3
  on conflict (dimension, hour, name) do update set rows = hourly_counts.rows + excluded.rows`;

const latest = `
  insert into latest_deployments (service, environment, status, happened_at, id)
  select newest.* from generate_series(0, $1::int - 1) s, generate_series(0, $2::int - 1) e,
    unnest(array['in-progress', 'success', 'failure']) wanted
  cross join lateral (
    select service, environment, status, happened_at, id from deployments
    where service = 'service-' || s and environment = 'env-' || e and status = wanted
    order by happened_at desc, id desc limit 1
  ) newest`;

const releases = `
  insert into releases (service, release, sha, last_at, last_id)
  select distinct on (service, release) service, release, event::json ->> 'sha', happened_at, id from deployments
  order by service, release, happened_at desc, id desc`;
