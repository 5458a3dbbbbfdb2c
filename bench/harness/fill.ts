import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { Stage } from './stage.ts';

export interface Filling {
  readonly rows: number;
  /** Rows are spread evenly over this many days before now. */
  readonly days: number;
  readonly services: number;
  readonly environments: number;
  /**
   * If set, events have no links, refs or shas, and only deployments that end in one of the last two environments have
   * parents, so that more events fit on a disk.
   */
  readonly compact?: boolean;
}

const connectionsMax = 2;
const chunkRows = 25_000;
/** Each connection uses a single core. Indexes are sorted in memory. */
const session = '-c work_mem=64MB -c maintenance_work_mem=512MB -c max_parallel_maintenance_workers=0';

/**
 * Clears the log and fills it directly in the database, with rows like those that the service stores, and updates the
 * derived tables. A deployment has two rows: in progress, then success or (one in eight) failure. It was promoted from
 * the deployment of the same service in the previous environment. A release is deployed twice in each environment, and
 * later in each environment than in the previous one.
 *
 * Dropping all indexes except the primary key and creating them again takes a third of the time.
 */
export async function fill(stage: Pick<Stage, 'databaseUrl'>, filling: Filling): Promise<void> {
  const pool = new pg.Pool({ connectionString: stage.databaseUrl, max: connectionsMax, options: session });
  try {
    await pool.query('truncate deployments, latest_deployments');
    const { rows: indexes } = await pool.query<{ name: string; definition: string }>(secondaryIndexes);
    await pool.query(`drop index ${indexes.map(({ name }) => name).join(', ')}`);
    await Promise.all(chunksOf(filling).map((values) => pool.query(chunk, values)));
    await Promise.all(indexes.map(({ definition }) => pool.query(definition)));
    await pool.query(latest, [filling.services, filling.environments]);
    await pool.query('update folds set tick = -1');
    // Ids are a quarter of a second later than the events.
    await pool.query(
      `update log_heads set last_tick = greatest(last_tick, log_tick(now() + interval '250 milliseconds'))`,
    );
    await pool.query('vacuum analyze deployments, latest_deployments');
    // Otherwise, data that is not yet on disk would be written during a measurement.
    await pool.query('checkpoint');
  } finally {
    await pool.end();
  }
}

/** The parameters of each chunk. */
function chunksOf({ rows, days, services, environments, compact = false }: Filling): unknown[][] {
  const until = new Date();
  return Array.from({ length: Math.ceil(rows / chunkRows) }, (_, index) => {
    const from = index * chunkRows + 1;
    return [rows, days, services, environments, until, from, Math.min(from + chunkRows - 1, rows), compact];
  });
}

/**
 * The widest index comes first, because sorting it needs the most disk space. The space is available while the other
 * indexes don't exist.
 */
const secondaryIndexes = `
  select relname as name, pg_get_indexdef(oid) as definition
  from pg_class join pg_index on indexrelid = oid
  where indrelid = 'deployments'::regclass and not indisprimary
  order by indnatts desc, oid`;

/** The id of row n. It is as if the service had created it a quarter of a second after the event happened. */
const id = `(lpad(to_hex(ms), 12, '0') || '7' || lpad(to_hex(n & 4095), 3, '0') || '8' || right(md5(n::text), 15))::uuid`;

/**
 * Rows $6 to $7 of a log of $1 rows, spread over the $2 days before $5, with $3 services and $4 environments, compact
 * or not ($8). There are fewer than a thousand rows per second, so ids increase with n.
 */
const chunk = `
  with numbered as (
    select n, n / 2 as d, (n / 2) % ($3::int * $4::int) as slot, n / 2 / ($3 * $4) as round,
      $5::timestamptz - ($1::bigint - n)::float8 / $1 * $2::int * interval '1 day' as happened_at
    from generate_series($6::bigint, $7::bigint) n offset 0
  ), placed as (
    select n, 'gha-' || d as deployment_id, 'service-' || slot % $3 as service, 'env-' || slot / $3 as environment,
      greatest(round - 3 * (slot / $3), 0) / 2 as release, happened_at,
      floor(extract(epoch from happened_at) * 1000)::bigint + 250 as ms, 'actor-' || n % 40 as actor,
      case when n % 2 = 0 then 'in-progress' when (d + round) % 8 = 7 then 'failure' else 'success' end as status,
      case when slot >= $3 and d >= $3 and (not $8::boolean or n % 2 = 1 and slot >= $3 * ($4 - 2)) then 'gha-' || d - $3 end as parent
    from numbered offset 0
  ), made as materialized (
    select *, ${id} as id, '1.' || release / 50 || '.' || release % 50 as version from placed
  )
  insert into deployments (id, deployment_id, service, environment, status, happened_at, parents, release, event)
  select id, deployment_id, service, environment, status, happened_at,
    case when parent is not null then array[parent] end, 'v' || version,
    '{"id":"' || id || '","deployment_id":"' || deployment_id || '","service":"' || service || '","environment":"'
      || environment || '","version":"' || version || '","status":"' || status || '","happened_at":"'
      || to_char(happened_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
      || case when $8 then '' else '","run_url":"https://ci.example.com/runs/' || n end || '","actor":"' || actor
      || case when $8 then '' else '","ref":"refs/heads/main","sha":"' || md5(service || '@' || version) end
      || case when parent is null then '"}' else '","parent_deployments":["' || parent || '"]}' end
  from made`;

const latest = `
  insert into latest_deployments (service, environment, status, happened_at, id)
  select newest.* from generate_series(0, $1::int - 1) s, generate_series(0, $2::int - 1) e,
    unnest(array['in-progress', 'success', 'failure']) wanted
  cross join lateral (
    select service, environment, status, happened_at, id from deployments
    where service = 'service-' || s and environment = 'env-' || e and status = wanted
    order by happened_at desc, id desc limit 1
  ) newest`;

/** Fills the log and waits for the folds, without which analytics, quality, releases and differences answer 503. */
export async function fillAndBuild(stage: Pick<Stage, 'databaseUrl' | 'sql'>, filling: Filling): Promise<void> {
  await fill(stage, filling);
  await built(stage);
  // As autovacuum does within a minute.
  await stage.sql.query('vacuum analyze');
}

/** Resolves when the folds have every event. Asking for them would take a step, so it reads the table. */
export async function built(stage: Pick<Stage, 'sql'>): Promise<void> {
  for (;;) {
    const { rows: found } = await stage.sql.query(
      `select tick = (select last_tick from log_heads where log = 'deployments') as built from folds`,
    );
    if (found[0].built) return;
    await pause(100);
  }
}
