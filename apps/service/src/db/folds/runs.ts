import { nilId } from '@shiplog/contract';
import type { Fold } from './fold.ts';

interface Runs {
  readonly table: string;
  /** The columns within which the events are ordered. */
  readonly of: readonly string[];
  /**
   * Those by which the events are looked up. With more, the planner would choose another index in a new log, which has no
   * statistics, and read all events of a place for each of its deployments.
   */
  readonly lookup: readonly string[];
  readonly value: 'status' | 'release';
  /** The condition on the events. */
  readonly events: string;
  /** Whether a run has `earlier_id`. */
  readonly hasEarlier?: boolean;
}

const slot = ['service', 'environment'];
const edge = ['first_at', 'first_id', 'last_at', 'last_id'];

/**
 * Successive events with the same value. Adding or removing events affects the runs between the last run that ended
 * before them and the first run that began after them. These two change only if the runs between them join them.
 */
function runsFold({ table, of, lookup, value, events, hasEarlier = false }: Runs): Fold {
  const place = of.join(', ');
  const same = (columns: readonly string[], name: string, other: string) =>
    columns.map((column) => `${name}.${column} = ${other}.${column}`).join(' and ');
  const inPlace = (name: string, other: string) => same(of, name, other);
  const key = `${place}, first_at, first_id`;
  const updated = [value, 'last_at', 'last_id', 'ended_at', 'ended_id', ...(hasEarlier ? ['earlier_id'] : [])];
  const prefixed = (prefix: string) =>
    [value, ...edge].map((column) => `${prefix}.${column} as ${prefix}_${column}`).join(', ');
  const before = (kind: 'first' | 'last') =>
    `(coalesce(before_${kind}_at, '-infinity'), coalesce(before_${kind}_id, '${nilId}'))`;
  const after = `(coalesce(after_first_at, 'infinity'), coalesce(after_first_id, '${nilId}'))`;
  const earlier = `coalesce(
      lag(made.last_id) over (partition by ${place}, ${value} order by made.first_at, made.first_id), (
      select run.last_id from ${table} run
      where ${inPlace('run', 'made')} and run.${value} = made.${value} and (run.first_at, run.first_id) < ${before('first')}
      order by run.first_at desc, run.first_id desc limit 1))`;
  const text = `
    with fresh as (
      select ${place}, ${value}, happened_at, false as is_removed from deployments where id >= $1 and id < $2 and ${events}
      union all
      select ${place}, ${value}, happened_at, true from removed_deployments where id < $1 and ${events}
    ), bounds as materialized (
      select touched.*, ${prefixed('before')}, ${prefixed('after')}, after.ended_at, after.ended_id
      -- New events come after all others of the same time.
      from (
        select ${place}, min(happened_at) as since, max(happened_at) as until,
          case when bool_or(is_removed) then '${nilId}' else $1 end as since_id
        from fresh group by ${place}
      ) touched
      left join lateral (
        select * from ${table} run
        where ${inPlace('run', 'touched')} and (first_at, first_id) < (since, since_id) and (last_at, last_id) < (since, since_id)
        order by first_at desc, first_id desc limit 1
      ) before on true
      left join lateral (
        select * from ${table} run where ${inPlace('run', 'touched')} and first_at > until
        order by first_at, first_id limit 1
      ) after on true
    ), pieces as (
      select ${place}, ${['', ...edge].map((column) => `before_${column || value}`).join(', ')} from bounds
      where before_first_id is not null
      union all
      select ${place}, ${['', ...edge].map((column) => `after_${column || value}`).join(', ')} from bounds
      where after_first_id is not null
      union all
      select ${of.map((column) => `bounds.${column}`).join(', ')}, row.${value}, row.happened_at, row.id, row.happened_at, row.id
      from bounds cross join lateral (
        select ${value}, happened_at, id, service, environment from deployments
        where ${same(lookup, 'deployments', 'bounds')} and ${events} and id < $2
          and (happened_at, id) > ${before('last')} and (happened_at, id) < ${after}
        offset 0
      ) row
      where ${same(slot, 'row', 'bounds')}
    ), ordered as (
      select *, ${value} is distinct from lag(${value}) over place as starts,
        ${value} is distinct from lead(${value}) over place as ends
      from pieces as piece (${place}, ${value}, ${edge.join(', ')})
      window place as (partition by ${place} order by first_at, first_id)
    ), edges as (
      select ${key}, ${value}, starts, case when ends then last_at else lead(last_at) over place end as last_at,
        case when ends then last_id else lead(last_id) over place end as last_id
      from ordered where starts or ends
      window place as (partition by ${place} order by first_at, first_id)
    ), made as materialized (
      select ${key}, ${value}, last_at, last_id, coalesce(lead(first_at) over place, ended_at) as ended_at,
        coalesce(lead(first_id) over place, ended_id) as ended_id, before_first_at, before_first_id
      from edges join bounds using (${place}) where starts
      window place as (partition by ${place} order by first_at, first_id)
    ), stale as (
      delete from ${table} where ctid = any(array(
        select run.ctid
        from bounds cross join lateral (
          select ctid, first_id from ${table} run
          where ${inPlace('run', 'bounds')} and (first_at, first_id) > ${before('first')} and (first_at, first_id) <= ${after}
          offset 0
        ) run
        where run.first_id not in (select first_id from made)
      ))
    )${hasEarlier ? later() : ''}
    insert into ${table} (${key}, ${updated.join(', ')})
    select ${key}, ${value}, last_at, last_id, ended_at, ended_id${hasEarlier ? `, ${earlier}` : ''} from made
    on conflict (${key}) do update
    set ${updated.map((column) => `${column} = excluded.${column}`).join(', ')}
    where (${updated.map((column) => `${table}.${column}`).join(', ')})
      is distinct from (${updated.map((column) => `excluded.${column}`).join(', ')})`;

  /** The next run of a value beyond the changed ones may have another run before it now. */
  function later(): string {
    return `, later as (
      update ${table} set earlier_id = next.earlier_id
      from (
        select next.ctid, coalesce(made_id, (
          select last_id from ${table} run
          where ${inPlace('run', 'touched')} and run.${value} = touched.${value} and (first_at, first_id) < ${before('first')}
          order by first_at desc, first_id desc limit 1)) as earlier_id
        -- Grouped, because a join of two large lists would compare each with each.
        from (
          select ${place}, ${value}, (array_agg(last_id order by first_at desc, first_id desc) filter (where not is_fresh))[1] as made_id
          from (
            select ${place}, ${value}, null as first_at, null as first_id, null as last_id, true as is_fresh from fresh
            union all
            select ${place}, ${value}, first_at, first_id, last_id, false from made
          ) changed
          group by ${place}, ${value} having bool_or(is_fresh)
        ) touched
        join bounds using (${place})
        cross join lateral (
          select ctid, earlier_id from ${table} run
          where ${inPlace('run', 'touched')} and run.${value} = touched.${value} and (first_at, first_id) > ${after}
          order by first_at, first_id limit 1
        ) next
      ) next
      where ${table}.ctid = next.ctid and ${table}.earlier_id is distinct from next.earlier_id
    )`;
  }

  return {
    tables: [table],
    step: async (queries, { from, to }) => {
      await queries.query({ name: `fold-${table}`, text, values: [from, to] });
    },
  };
}

/** `status_runs`: the periods in which a deployment was in a status (questions.md 5). */
export const statusRunsFold = runsFold({
  table: 'status_runs',
  of: ['deployment_id', ...slot],
  lookup: ['deployment_id'],
  value: 'status',
  events: 'true',
});

/** `outcome_runs`: incidents, and what is between them (reading 5.12). */
export const outcomeRunsFold = runsFold({
  table: 'outcome_runs',
  of: slot,
  lookup: slot,
  value: 'status',
  events: `status in ('success', 'failure')`,
});

/** `release_runs`: the periods in which a release was in a place (questions.md 6 and 12.9). */
export const releaseRunsFold = runsFold({
  table: 'release_runs',
  of: slot,
  lookup: slot,
  value: 'release',
  events: `status = 'success' and release is not null`,
  hasEarlier: true,
});
