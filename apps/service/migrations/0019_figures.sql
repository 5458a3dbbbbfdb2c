-- Folds for analytics. Nothing reads hourly_counts and kept_answers any longer; instances of the version before still write
-- to them during an upgrade.

-- Runs: successive events with the same value, ordered by (happened_at, id). `ended` is the first event of the next run.

-- Of a deployment in one place: the events with the same status.
create table status_runs (
  deployment_id text collate "C" not null,
  service text collate "C" not null,
  environment text collate "C" not null,
  status text collate "C" not null,
  first_at timestamptz not null,
  first_id uuid not null,
  last_at timestamptz not null,
  last_id uuid not null,
  ended_at timestamptz,
  ended_id uuid,
  primary key (deployment_id, service, environment, first_at, first_id)
) with (fillfactor = 80);
create index status_runs_by_slot on status_runs (service, environment, status, first_at, first_id) include (ended_at)
  where status in ('pending', 'queued', 'waiting', 'in-progress');

-- Of a place: the successes, or the failures, without the other between them.
create table outcome_runs (
  service text collate "C" not null,
  environment text collate "C" not null,
  status text collate "C" not null,
  first_at timestamptz not null,
  first_id uuid not null,
  last_at timestamptz not null,
  last_id uuid not null,
  ended_at timestamptz,
  ended_id uuid,
  primary key (service, environment, first_at, first_id)
) with (fillfactor = 80);

-- Of a place: the successes of a release without a success of another one between them. `earlier_id` is the last success
-- of the run before of the same release.
create table release_runs (
  service text collate "C" not null,
  environment text collate "C" not null,
  release text collate "C" not null,
  first_at timestamptz not null,
  first_id uuid not null,
  last_at timestamptz not null,
  last_id uuid not null,
  ended_at timestamptz,
  ended_id uuid,
  earlier_id uuid,
  primary key (service, environment, first_at, first_id)
) with (fillfactor = 80);
create index release_runs_by_release on release_runs (service, release, environment, first_at, first_id);
-- Rollbacks.
create index release_runs_again on release_runs (service, environment, first_at) where earlier_id is not null;

-- Events per hour since 1970, by status and by actor.
create table event_counts (
  dimension text collate "C" not null,
  hour int not null,
  name text collate "C" not null,
  events bigint not null,
  primary key (dimension, hour, name)
) with (fillfactor = 70);

-- The deployments that a deployment names as its parents, in any of its events, and the event that added the link.
create table promotions (
  deployment_id text collate "C" not null,
  parent text collate "C" not null,
  id uuid not null,
  primary key (deployment_id, parent)
);
create index promotions_by_parent on promotions (parent, deployment_id);

-- Of a success that names parents: the earliest event of the deployments that it was promoted from, over any number of
-- promotions.
create table lead_times (
  id uuid primary key,
  service text collate "C" not null,
  environment text collate "C" not null,
  happened_at timestamptz not null,
  first_at timestamptz not null,
  first_id uuid not null
);
create index lead_times_by_slot on lead_times (service, environment, happened_at) include (first_at);

-- The folds are built anew, with these tables.
truncate changes, faulty_events, parent_links, unknown_parents, removed_deployments;
update folds set tick = 0, last_id = null;
