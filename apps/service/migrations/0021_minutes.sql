-- Minutes are computed once, when a row is written: a duration histogram or the times in a status read hundreds of
-- thousands of them.
truncate changes, status_runs, outcome_runs, release_runs, event_counts, promotions, lead_times, faulty_events, parent_links,
  unknown_parents, release_shas, version_names, release_deployments, removed_deployments;
update folds set tick = 0, last_id = null;

-- The deployment's, from its first event to the last one of this change.
alter table changes add minutes float8 not null
  generated always as (round(date_part('epoch', last_at - begun_at) * 1000000) / 1000000 / 60) stored;
-- Null until the run has ended.
alter table status_runs add minutes float8
  generated always as (round(date_part('epoch', ended_at - first_at) * 1000000) / 1000000 / 60) stored;
drop index status_runs_by_slot;
create index status_runs_by_slot on status_runs (service, environment, status, first_at, first_id) include (minutes)
  where status in ('pending', 'queued', 'waiting', 'in-progress');
