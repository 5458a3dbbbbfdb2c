import type { Queries } from './database.ts';
import { type LogMark, markColumns } from './log-mark.ts';

export interface MatrixSnapshot extends LogMark {
  readonly generatedAt: string;
  /** JSON text of the `environments` array. */
  readonly environmentsJson: string;
  /** JSON text of the `rows` array. */
  readonly rowsJson: string;
}

/**
 * The matrix, from the latest row of each (service, environment, status). `current` is the newest row with one of the
 * three effective statuses; `next` is the newest of the five others if it is later; `upcoming` holds those of slots
 * without any of the three (§2 MatrixSlot, readings 4.1 to 4.3). Only a terminal row with exactly the time of a running
 * `current` needs a look into the log itself, to find what is strictly older. The answer is joined from finished JSON:
 * nothing is parsed or built.
 */
const statementText = (where: string) => `
    with latest as (
      select * from latest_deployments ${where}
    ), effective as (
      select distinct on (service, environment) *
      from latest where status in ('in-progress', 'success', 'failure')
      order by service, environment, happened_at desc, id desc
    ), pending as (
      select distinct on (service, environment) *
      from latest where status not in ('in-progress', 'success', 'failure')
      order by service, environment, happened_at desc, id desc
    ), slots as (
      select current.service, current.environment,
        current.id as current_id,
        case when current.status <> 'success' then success.id end as success_id,
        case when pending.happened_at > current.happened_at then pending.id end as next_id,
        current.status = 'in-progress' and case
          when current.happened_at in (success.happened_at, failure.happened_at) then (
            select older.status = 'failure' from (
              (select status, happened_at, id from deployments
               where service = current.service and environment = current.environment and status = 'success'
                 and happened_at < current.happened_at order by happened_at desc, id desc limit 1)
              union all
              (select status, happened_at, id from deployments
               where service = current.service and environment = current.environment and status = 'failure'
                 and happened_at < current.happened_at order by happened_at desc, id desc limit 1)
            ) older order by older.happened_at desc, older.id desc limit 1)
          else failure.id is not null
            and (success.id is null or (failure.happened_at, failure.id) > (success.happened_at, success.id))
        end as prev_failed
      from effective current
      left join latest success on success.service = current.service
        and success.environment = current.environment and success.status = 'success'
      left join latest failure on failure.service = current.service
        and failure.environment = current.environment and failure.status = 'failure'
      left join pending on pending.service = current.service and pending.environment = current.environment
    ), upcoming as (
      select pending.service, string_agg(to_json(pending.environment)::text || ':' || deployments.event, ','
        order by pending.environment) as events
      from pending join deployments using (id)
      where not exists (
        select from effective where service = pending.service and environment = pending.environment)
      group by pending.service
    ), rows as (
      select services.service, coalesce(string_agg(
        to_json(slots.environment)::text || ':{"current":' || current.event
          || coalesce(',"last_successful":' || success.event, '')
          || case when slots.prev_failed then ',"prev_failed":true' else '' end
          || coalesce(',"next":' || next.event, '') || '}', ',' order by slots.environment), '') as slots
      from (select distinct service from latest) services
      left join slots on slots.service = services.service
      left join deployments current on current.id = slots.current_id
      left join deployments success on success.id = slots.success_id
      left join deployments next on next.id = slots.next_id
      group by services.service
    )
    select ${markColumns},
      to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as generated_at,
      (select coalesce(json_agg(environment order by environment), '[]')::text
       from (select distinct environment from slots) environments) as environments_json,
      (select '[' || coalesce(string_agg('{"service":' || to_json(service)::text || ',"slots":{' || slots || '}'
        || coalesce(',"upcoming":{' || upcoming.events || '}', '') || '}', ','
        order by service), '') || ']' from rows left join upcoming using (service)) as rows_json`;

const wholeMatrix = { name: 'matrix', text: statementText('') };
const serviceMatrix = { name: 'matrix-of-service', text: statementText('where service = $1') };

interface Row {
  readonly tick: string;
  readonly position: string | null;
  readonly generated_at: string;
  readonly environments_json: string;
  readonly rows_json: string;
}

/** The matrix of all services, or of one. */
export async function readMatrix(queries: Queries, service: string | undefined): Promise<MatrixSnapshot> {
  const [row] = await (service === undefined
    ? queries.query<Row>(wholeMatrix)
    : queries.query<Row>(serviceMatrix, [service]));
  if (!row) throw new Error('the matrix statement gave no row');
  return {
    tick: row.tick,
    position: row.position ?? undefined,
    generatedAt: row.generated_at,
    environmentsJson: row.environments_json,
    rowsJson: row.rows_json,
  };
}
