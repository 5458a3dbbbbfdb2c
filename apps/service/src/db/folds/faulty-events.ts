import type { Fold } from './fold.ts';

const columns = 'id, service, environment, happened_at, reporter';
const lag = 'arrival_lag(id, happened_at)';
/** The accepted delay in microseconds: from 5 minutes early to 24 hours late. */
const [lagMin, lagMax] = [-300_000_000, 86_400_000_000];

/** Events that happened more than 5 minutes after they arrived, and those that arrived more than 24 hours later. */
const misdated = {
  name: 'fold-misdated-events',
  text: `
    insert into faulty_events (kind, ${columns})
    select case when ${lag} < 0 then 'future' else 'late' end, ${columns}
    from deployments where id >= $1 and id < $2 and (${lag} < ${lagMin} or ${lag} > ${lagMax})`,
};

const forget = {
  name: 'fold-forget-faulty-events',
  text: 'delete from faulty_events where id in (select id from removed_deployments where id < $1)',
};

const same = 'deployment_id, service, environment, status';

/**
 * Events that repeat a deployment status in the same place within 10 minutes. Adding or removing an event affects
 * only the events of its deployment that follow it.
 */
const repeated = {
  name: 'fold-repeated-events',
  text: `
    with touched as (
      select ${same}, min(happened_at) as since, max(happened_at) as until from (
        select ${same}, happened_at from deployments where id >= $1 and id < $2
        union all
        select ${same}, happened_at from removed_deployments where id < $1
      ) events group by ${same}
    ), near as (
      select event.*, event.happened_at >= since as is_touched, lag(event.happened_at) over same as before_at
      from touched cross join lateral (
        select deployment_id, status, ${columns} from deployments
        -- Compared as rows, so that the planner does not use the index by time.
        where deployment_id = touched.deployment_id
          and (deployment_id, happened_at) >= (touched.deployment_id, since - interval '10 minutes')
          and (deployment_id, happened_at) <= (touched.deployment_id, until + interval '10 minutes') and id < $2
        offset 0
      ) event
      where (event.service, event.environment, event.status) = (touched.service, touched.environment, touched.status)
      window same as (partition by ${same
        .split(', ')
        .map((column) => `event.${column}`)
        .join(', ')} order by event.happened_at, event.id)
    ), judged as materialized (
      select ${columns}, coalesce(happened_at - before_at <= interval '10 minutes', false) as is_repeat from near where is_touched
    ), first as (
      delete from faulty_events where kind = 'duplicate' and id in (select id from judged where not is_repeat)
    )
    insert into faulty_events (kind, ${columns})
    select 'duplicate', ${columns} from judged where is_repeat
    on conflict (kind, id) do nothing`,
};

/** `faulty_events`: the rows of the findings `future`, `late` and `duplicate` (questions.md 10.2). */
export const faultyEventsFold: Fold = {
  tables: ['faulty_events'],
  step: async (queries, { from, to, hasRemovals }) => {
    if (hasRemovals) await queries.query({ ...forget, values: [from] });
    await queries.query({ ...misdated, values: [from, to] });
    await queries.query({ ...repeated, values: [from, to] });
  },
};
