-- Folds: tables that hold what follows from the events up to a tick of the log. A step reads the events after the tick,
-- changes the tables and moves the tick, in one transaction that locks this row. Nothing in them can't be rebuilt.
create table folds (
  single boolean primary key default true check (single),
  -- Below 0: the tables don't follow from the log and must be rebuilt.
  tick bigint not null default 0,
  -- The last event up to the tick. If it is missing although it was not removed, the log was replaced beneath the folds.
  last_id uuid
) with (fillfactor = 10);
insert into folds default values;

-- Events that were removed from the log, until a step has taken them out of the folds. It has the columns of deployments.
create table removed_deployments (like deployments);

create function queue_removed() returns trigger language plpgsql as $$
begin
  insert into removed_deployments select old.*;
  return null;
end $$;
-- A reset removes everything and rebuilds the folds instead.
create trigger queue_removed after delete on deployments for each row
  when (current_setting('shiplog.rebuilds_folds', true) is distinct from 'on') execute function queue_removed();

create function rebuild_folds() returns trigger language plpgsql as $$
begin
  update folds set tick = -1;
  return null;
end $$;
create trigger rebuild_folds after truncate on deployments for each statement execute function rebuild_folds();

-- The events of a deployment in one place: its first and its last event by (happened_at, id), and the status of the last.
create table changes (
  deployment_id text collate "C" not null,
  service text collate "C" not null,
  environment text collate "C" not null,
  first_at timestamptz not null,
  first_id uuid not null,
  last_at timestamptz not null,
  last_id uuid not null,
  status text collate "C" not null,
  events int not null,
  -- Of the deployment in all places: its first event, and whether its last event is in this place.
  begun_at timestamptz not null,
  begun_id uuid not null,
  is_last boolean not null,
  primary key (deployment_id, service, environment)
) with (fillfactor = 70);
create index changes_by_end on changes (last_at, last_id) include (service, environment, status, first_at);
create index changes_by_slot on changes (service, environment, last_at, last_id) include (status, first_at);
-- Changes that may reach far into a range from its end.
create index changes_long on changes (last_at) where last_at - first_at > interval '6 hours';
-- A deployment that waits or runs, by its place.
create index changes_open on changes (service, environment, last_at, last_id)
  where is_last and status in ('pending', 'queued', 'waiting', 'in-progress');

-- Events with a fault that can be told from the log (questions.md 10.2): dated after their arrival, arrived a day late, or
-- repeated.
create table faulty_events (
  kind text collate "C" not null,
  id uuid not null,
  service text collate "C" not null,
  environment text collate "C" not null,
  happened_at timestamptz not null,
  reporter text collate "C",
  primary key (kind, id)
);
create index faulty_events_by_slot on faulty_events (kind, service, environment, happened_at, id) include (reporter);

-- The parents that events name, and those of them that no event has.
create table parent_links (
  parent text collate "C" not null,
  id uuid not null,
  primary key (parent, id)
);
create table unknown_parents (
  parent text collate "C" not null,
  id uuid not null,
  service text collate "C" not null,
  environment text collate "C" not null,
  happened_at timestamptz not null,
  primary key (parent, id)
);
