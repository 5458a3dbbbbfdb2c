-- How many changes have their last event in each UTC day, by place and state, and in each hour, by state alone.
create function day_of(at timestamptz) returns int
  language sql immutable parallel safe
  return date_part('day', at - timestamptz '4001-01-01T00:00:00Z BC')::int - 2180498;

create table change_days (
  -- Since 1970, as in change_hours.
  day int not null,
  service text collate "C" not null,
  environment text collate "C" not null,
  status text collate "C" not null,
  changes int not null,
  primary key (day, service, environment, status)
) with (fillfactor = 80);
-- Rows that a step has emptied and deletes.
create index change_days_empty on change_days (day) where changes = 0;

create table change_hours (
  hour int not null,
  status text collate "C" not null,
  changes int not null,
  primary key (hour, status)
) with (fillfactor = 80);
create index change_hours_empty on change_hours (hour) where changes = 0;

insert into change_days select day_of(last_at), service, environment, status, count(*) from changes group by 1, 2, 3, 4;
insert into change_hours select hour_of(last_at), status, count(*) from changes group by 1, 2;

-- Failures that a success ended, or none yet.
create index outcome_runs_failed on outcome_runs (service, environment, first_at, first_id)
  include (last_at, last_id, ended_at, ended_id) where status = 'failure';

-- How long deployments took: usual durations, and the duration histogram.
create index changes_timed on changes (service, environment, last_at) include (minutes, begun_at)
  where is_last and begun_id <> last_id;
