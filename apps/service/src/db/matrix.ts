import { oneRow, type Queries, type Statement } from './database.ts';
import { type LogMark, markColumns } from './log-mark.ts';

/** The arrays `environments` and `rows` are JSON strings. */
export interface MatrixSnapshot extends LogMark {
  readonly generatedAt: string;
  readonly environmentsJson: string;
  readonly rowsJson: string;
}

export interface MatrixQuestion {
  /** `undefined` for all. */
  readonly service: string | undefined;
  /** Only rows up to this moment, RFC 3339 in UTC; `undefined` for all. */
  readonly until: string | undefined;
}

/** Uses one lookup per id, because a join might hash all events of the log although few slots need a second event. */
const eventOf = (id: string) => `(select event from deployments where id = ${id})`;

/**
 * The matrix from the latest row of each (service, environment, status): `current` is the newest row with one of the
 * three effective statuses; `next` is the newest row with one of the five other statuses if it is later; `upcoming` has
 * such rows for slots without an effective status (§2 MatrixSlot, readings 4.1 to 4.3). The log itself is read only if
 * a terminal row has exactly the same time as a running `current`. Stored JSON is concatenated, not parsed.
 */
const statementText = (latest: string) => `
    with latest as (${latest}), effective as (
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
        to_json(slots.environment)::text || ':{"current":' || ${eventOf('slots.current_id')}
          || coalesce(',"last_successful":' || ${eventOf('slots.success_id')}, '')
          || case when slots.prev_failed then ',"prev_failed":true' else '' end
          || coalesce(',"next":' || ${eventOf('slots.next_id')}, '') || '}', ',' order by slots.environment), '') as slots
      from (select distinct service from latest) services
      left join slots on slots.service = services.service
      group by services.service
    )
    select ${markColumns},
      to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "generatedAt",
      (select coalesce(json_agg(environment order by environment), '[]')::text
       from (select distinct environment from slots) environments) as "environmentsJson",
      (select '[' || coalesce(string_agg('{"service":' || to_json(service)::text || ',"slots":{' || slots || '}'
        || coalesce(',"upcoming":{' || upcoming.events || '}', '') || '}', ','
        order by service), '') || ']' from rows left join upcoming using (service)) as "rowsJson"`;

const latestRows = 'select * from latest_deployments';

/** The latest rows up to a moment: one index lookup per slot and status. */
const latestRowsBy = (moment: string, where: string) => `
  select slot.service, slot.environment, slot.status, deployments.happened_at, deployments.id
  from (${latestRows} ${where}) slot
  cross join lateral (
    select happened_at, id from deployments
    where service = slot.service and environment = slot.environment and status = slot.status
      and happened_at <= ${moment}::timestamptz
    order by happened_at desc, id desc limit 1
  ) deployments`;

const wholeMatrix = { name: 'matrix', text: statementText(latestRows) };
const serviceMatrix = { name: 'matrix-of-service', text: statementText(`${latestRows} where service = $1`) };
const wholeMatrixAt = { name: 'matrix-at', text: statementText(latestRowsBy('$1', '')) };
const serviceMatrixAt = { name: 'matrix-of-service-at', text: statementText(latestRowsBy('$1', 'where service = $2')) };

type Row = Omit<MatrixSnapshot, 'position'> & { readonly position: string | null };

export async function readMatrix(queries: Queries, question: MatrixQuestion): Promise<MatrixSnapshot> {
  const { position, ...snapshot } = await oneRow<Row>(queries, statement(question));
  return { ...snapshot, position: position ?? undefined };
}

function statement({ service, until }: MatrixQuestion): Statement {
  if (until === undefined) return service === undefined ? wholeMatrix : { ...serviceMatrix, values: [service] };
  const values = service === undefined ? [until] : [until, service];
  return { ...(service === undefined ? wholeMatrixAt : serviceMatrixAt), values };
}
