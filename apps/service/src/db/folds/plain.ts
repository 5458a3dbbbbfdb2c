import { unknownActor } from '@shiplog/contract';

/**
 * What a fold must contain, in plain SQL that reads the log and knows nothing of steps: `events` are the events that the
 * folds have, and `part` those that are compared at once.
 */
export interface PlainFold {
  /** The columns of the primary key. */
  readonly key: readonly string[];
  /** The other columns, except those that depend on the order of the steps. */
  readonly values: readonly string[];
  /** A large fold is compared in ranges of this column. A row follows from the events of its range alone, or finds the others by index. */
  readonly by: PartKey;
  readonly rows: string;
}

export type PartKey = 'deployment_id' | 'service' | 'id' | 'hour' | 'day';

const firstId = '(array_agg(id order by happened_at, id))[1]';
const lastOf = (column: string) => `(array_agg(${column} order by happened_at desc, id desc))[1]`;

const change = ['deployment_id', 'service', 'environment'];

const changes: PlainFold = {
  key: change,
  values: ['first_at', 'first_id', 'last_at', 'last_id', 'status', 'events', 'begun_at', 'begun_id', 'is_last'],
  by: 'deployment_id',
  rows: `
    select ${change}, first_at, first_id, last_at, last_id, status, events, begun_at, begun_id, last_id = ended_id as is_last
    from (
      select ${change}, min(happened_at) as first_at, ${firstId} as first_id, max(happened_at) as last_at,
        ${lastOf('id')} as last_id, ${lastOf('status')} as status, count(*) as events
      from part group by ${change}
    ) places
    join (
      select deployment_id, min(happened_at) as begun_at, ${firstId} as begun_id, ${lastOf('id')} as ended_id
      from part group by deployment_id
    ) whole using (deployment_id)`,
};

/** The last events of changes: those without a later one, which is found by index. */
const lastEvents = `(
  select * from part
  where (
    select true from events later
    where (later.deployment_id, later.service, later.environment) = (part.deployment_id, part.service, part.environment)
      and (later.happened_at, later.id) > (part.happened_at, part.id)
    limit 1) is null
) last_events`;

interface Runs {
  readonly of: readonly string[];
  readonly value: 'status' | 'release';
  readonly events: string;
  readonly by: PartKey;
  readonly hasEarlier?: boolean;
}

function runs({ of, value, events, by, hasEarlier = false }: Runs): PlainFold {
  const earlier = `, lag(last_id) over (partition by ${of}, ${value} order by first_at, first_id) as earlier_id`;
  return {
    key: [...of, 'first_at', 'first_id'],
    values: [value, 'last_at', 'last_id', 'ended_at', 'ended_id', ...(hasEarlier ? ['earlier_id'] : [])],
    by,
    rows: `
      select ${of}, ${value}, first_at, first_id, last_at, last_id, lead(first_at) over place as ended_at,
        lead(first_id) over place as ended_id${hasEarlier ? earlier : ''}
      from (
        select ${of}, ${value}, min(happened_at) as first_at, ${firstId} as first_id, max(happened_at) as last_at,
          ${lastOf('id')} as last_id
        from (
          select *, count(*) filter (where is_first) over (partition by ${of} order by happened_at, id) as number
          from (
            select *, ${value} is distinct from lag(${value}) over (partition by ${of} order by happened_at, id) as is_first
            from part where ${events}
          ) marked
        ) numbered
        group by ${of}, ${value}, number
      ) runs
      window place as (partition by ${of} order by first_at, first_id)`,
  };
}

const slot = ['service', 'environment'];
const faulty = ['id', 'service', 'environment', 'happened_at', 'reporter'];
const arrivedAt = 'to_timestamp(arrival_ms(id) / 1000.0)';
/** Subqueries as values: the planner looks them up for each row and doesn't read the whole log for a part. */
const repeats = `(
  select true from events before
  where (before.deployment_id, before.service, before.environment, before.status)
      = (event.deployment_id, event.service, event.environment, event.status)
    and before.happened_at >= event.happened_at - interval '10 minutes'
    and (before.happened_at, before.id) < (event.happened_at, event.id)
  limit 1)`;

const faultyEvents: PlainFold = {
  key: ['kind', 'id'],
  values: ['service', 'environment', 'happened_at', 'reporter'],
  by: 'id',
  rows: `
    select 'future' as kind, ${faulty} from part where happened_at > ${arrivedAt} + interval '5 minutes'
    union all
    select 'late', ${faulty} from part where happened_at < ${arrivedAt} - interval '24 hours'
    union all
    select 'duplicate', ${faulty} from part event where ${repeats}`,
};

/** Each event of the part with each of its parents. */
const named = (condition = 'true') => `
  select distinct deployment_id, id, service, environment, happened_at, parent collate "C" as parent
  from part cross join lateral unnest(parents) as named (parent) where ${condition}`;

const leadTimes: PlainFold = {
  key: ['id'],
  values: ['service', 'environment', 'happened_at', 'first_at', 'first_id'],
  by: 'id',
  rows: `
    select distinct on (origins.id) origins.id, service, environment, happened_at, first.at as first_at, first.id as first_id
    from (
      with recursive origins as (
        select id, service, environment, happened_at, parent from (${named(`status = 'success'`)}) named
        union
        select origins.id, origins.service, origins.environment, origins.happened_at, further.parent collate "C"
        from origins cross join lateral (
          select unnest(parents) as parent from events where deployment_id = origins.parent offset 0
        ) further
      )
      select * from origins
    ) origins
    cross join lateral (
      select happened_at as at, events.id from events where deployment_id = parent order by happened_at, events.id limit 1
    ) first
    order by origins.id, first.at, first.id`,
};

/** Each fold's table with its plain form. */
export const plainFolds: Readonly<Record<string, PlainFold>> = {
  changes,
  change_days: {
    key: ['day', 'service', 'environment', 'status'],
    values: ['changes'],
    by: 'day',
    rows: `
      select day_of(happened_at) as day, service, environment, status, count(*) as changes from ${lastEvents} group by 1, 2, 3, 4`,
  },
  change_hours: {
    key: ['hour', 'status'],
    values: ['changes'],
    by: 'hour',
    rows: `select hour_of(happened_at) as hour, status, count(*) as changes from ${lastEvents} group by 1, 2`,
  },
  faulty_events: faultyEvents,
  parent_links: {
    key: ['parent', 'id'],
    values: [],
    by: 'id',
    rows: `select parent, id from (${named()}) named`,
  },
  unknown_parents: {
    key: ['parent', 'id'],
    values: ['service', 'environment', 'happened_at'],
    by: 'id',
    rows: `
      select parent, id, service, environment, happened_at from (${named()}) named
      where (select true from events where deployment_id = parent limit 1) is null`,
  },
  status_runs: runs({ of: change, value: 'status', events: 'true', by: 'deployment_id' }),
  outcome_runs: runs({ of: slot, value: 'status', events: `status in ('success', 'failure')`, by: 'service' }),
  release_runs: runs({
    of: slot,
    value: 'release',
    events: `status = 'success' and release is not null`,
    by: 'service',
    hasEarlier: true,
  }),
  event_counts: {
    key: ['dimension', 'hour', 'name'],
    values: ['events'],
    by: 'hour',
    rows: `
      select dimension, hour_of(happened_at) as hour, name, count(*) as events
      from part cross join lateral (
        values ('status', status), ('actor', coalesce(nullif(event::json ->> 'actor', ''), '${unknownActor}'))
      ) counted (dimension, name)
      group by dimension, hour_of(happened_at), name`,
  },
  // Which event added a link depends on the order of the steps and removals.
  promotions: {
    key: ['deployment_id', 'parent'],
    values: [],
    by: 'deployment_id',
    rows: `select distinct deployment_id, parent from (${named()}) named`,
  },
  lead_times: leadTimes,
  release_shas: {
    key: ['service', 'release', 'sha'],
    values: ['last_at', 'last_id'],
    by: 'service',
    rows: `
      select service, release, sha, max(happened_at) as last_at, ${lastOf('id')} as last_id
      from (select *, coalesce(event::json ->> 'sha', '') as sha from part where release is not null) released
      group by service, release, sha`,
  },
  version_names: {
    key: ['service', 'release'],
    values: [],
    by: 'service',
    rows: `select distinct service, release from part where release like 'v%'`,
  },
  release_deployments: {
    key: ['service', 'release', 'deployment_id'],
    values: [],
    by: 'service',
    rows: 'select distinct service, release, deployment_id from part where release is not null',
  },
};
