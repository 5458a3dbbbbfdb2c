-- What an instance does at run time, and nothing else: the rights of the role "shiplog" on the tables of this version.
-- Run as the owner of the tables after each migration; it can be repeated.
--
-- No DDL, no TRUNCATE, no update of what was appended. LISTEN, NOTIFY and advisory locks need no right.

revoke all on all tables in schema public from shiplog;
revoke all on schema public from shiplog;

grant usage on schema public to shiplog;

-- Appended, read, and removed when too old or cleared by a reset.
grant select, insert, delete on deployments, control_frames, component_reports to shiplog;
-- Kept of what was removed by hand.
grant select, insert on removals to shiplog;
-- Derived from the log, and the cursors of fetchers.
grant select, insert, update, delete on latest_deployments, slots, releases, hourly_counts, kept_answers, fetcher_states to shiplog;
-- Counts of refused posts.
grant select, insert, update, delete on refused_posts to shiplog;
-- Rows that are made by the migrations and only change.
grant select, update on log_heads, reset to shiplog;
-- Compared with the migrations of this version at each start.
grant select on schema_migrations to shiplog;

-- VACUUM after a reset. Before PostgreSQL 17 only the owner may; there autovacuum does it within minutes.
do $$
begin
  if current_setting('server_version_num')::int >= 170000 then
    execute 'grant maintain on deployments, latest_deployments, releases, hourly_counts, kept_answers, fetcher_states to shiplog';
  end if;
end $$;
