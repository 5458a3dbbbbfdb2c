-- Folds for releases. Nothing reads the table releases any longer; instances of the version before still
-- write to the table during an upgrade.

-- Of each release and commit: the newest event.
create table release_shas (
  service text collate "C" not null,
  release text collate "C" not null,
  sha text collate "C" not null,
  last_at timestamptz not null,
  last_id uuid not null,
  primary key (service, release, sha)
) with (fillfactor = 80);
create index release_shas_by_time on release_shas (last_at, last_id);
create index release_shas_by_service on release_shas (service, last_at, last_id);
create index release_shas_by_sha on release_shas (lower(sha) text_pattern_ops);

-- All parts of three characters.
create function grams(name text) returns text[] language sql immutable parallel safe
  return array(select distinct substr(lower(name collate "C"), at, 3) from generate_series(1, length(name) - 2) at);

-- The releases that are versions, to find them by a part of their name.
create table version_names (
  service text collate "C" not null,
  release text collate "C" not null,
  primary key (service, release)
);
create index version_names_by_gram on version_names using gin (grams(release));

-- The deployments with events of a release.
create table release_deployments (
  service text collate "C" not null,
  release text collate "C" not null,
  deployment_id text collate "C" not null,
  primary key (service, release, deployment_id)
);

drop index deployments_by_release;

-- The folds are built anew, with these tables.
truncate changes, status_runs, outcome_runs, release_runs, event_counts, promotions, lead_times, faulty_events, parent_links,
  unknown_parents, removed_deployments;
update folds set tick = 0, last_id = null;
