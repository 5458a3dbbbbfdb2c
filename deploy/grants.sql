-- Grants the role "shiplog" only the privileges on this version's tables that an instance needs at run time.
-- Run this file as the owner of the tables after each migration; it can be repeated.
--
-- The role can't run DDL or TRUNCATE or update appended rows. LISTEN, NOTIFY and advisory locks need no privilege.

revoke all on all tables in schema public from shiplog;
revoke all on schema public from shiplog;

grant usage on schema public to shiplog;

-- Rows that are appended, read, and removed because of their age or by a reset.
grant select, insert, delete on deployments, control_frames, component_reports, access_acts to shiplog;
-- Records of events that an operator removed.
grant select, insert on removals to shiplog;
-- Tables derived from the log, and the cursors of fetchers.
grant select, insert, update, delete on latest_deployments, slots, releases, hourly_counts, kept_answers, fetcher_states to shiplog;
-- Folds: tables derived from the log in steps. A rebuild empties them.
grant select, insert, update, delete, truncate on changes, change_days, change_hours to shiplog;
grant select, insert, update, delete, truncate on status_runs, outcome_runs, release_runs, event_counts to shiplog;
grant select, insert, update, delete, truncate on promotions, lead_times, faulty_events, parent_links, unknown_parents to shiplog;
grant select, insert, update, delete, truncate on release_shas, version_names, release_deployments to shiplog;
grant select, insert, update, delete, truncate on removed_deployments to shiplog;
-- The ids behind names that rules of the access file trust.
grant select, insert, update, delete on access_pins to shiplog;
-- Holds, their releases and exceptions.
grant select, insert, delete on holds, hold_releases, hold_exceptions to shiplog;
-- Rows about outages, and the outages derived from them.
grant select, insert, delete on outage_rows to shiplog;
grant select, insert, update, delete on outages to shiplog;
-- The sessions of readers.
grant select, insert, update, delete on session_keys, ended_sessions to shiplog;
-- Counts of refused posts.
grant select, insert, update, delete on refused_posts to shiplog;
-- Rows that migrations create and instances only update.
grant select, update on log_heads, reset, folds to shiplog;
-- Compared with the migrations of this version at each startup.
grant select on schema_migrations to shiplog;

-- VACUUM after a reset. Before PostgreSQL 17 only the owner may vacuum; autovacuum then does it within minutes.
do $$
begin
  if current_setting('server_version_num')::int >= 170000 then
    execute 'grant maintain on deployments, latest_deployments, releases, hourly_counts, kept_answers, fetcher_states to shiplog';
  end if;
end $$;
