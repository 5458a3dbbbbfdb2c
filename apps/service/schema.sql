create table access_acts (
  id uuid not null,
  kind text collate "C" not null,
  subject text,
  reason text,
  count bigint not null default 1,
  detail jsonb,
  once text collate "C",
  part_of text collate "C"
);

create table access_pins (
  issuer text collate "C" not null,
  kind text collate "C" not null,
  folded text collate "C" not null,
  name text not null,
  id text not null,
  at timestamp with time zone not null default clock_timestamp()
);

create table change_days (
  day integer not null,
  service text collate "C" not null,
  environment text collate "C" not null,
  status text collate "C" not null,
  changes integer not null
);
-- with fillfactor=80

create table change_hours (
  hour integer not null,
  status text collate "C" not null,
  changes integer not null
);
-- with fillfactor=80

create table changes (
  deployment_id text collate "C" not null,
  service text collate "C" not null,
  environment text collate "C" not null,
  first_at timestamp with time zone not null,
  first_id uuid not null,
  last_at timestamp with time zone not null,
  last_id uuid not null,
  status text collate "C" not null,
  events integer not null,
  begun_at timestamp with time zone not null,
  begun_id uuid not null,
  is_last boolean not null,
  minutes double precision not null default ((round((date_part('epoch'::text, (last_at - begun_at)) * (1000000)::double precision)) / (1000000)::double precision) / (60)::double precision)
);
-- with fillfactor=70

create table component_reports (
  id uuid not null,
  component_id text collate "C" not null,
  correlation_id text collate "C",
  event_type text collate "C" not null,
  state text collate "C" not null,
  record text not null
);

create table control_frames (
  id uuid not null,
  type text collate "C" not null,
  component text collate "C" not null,
  frame text not null
);

create table deployments (
  id uuid not null,
  deployment_id text collate "C" not null,
  service text collate "C" not null,
  environment text collate "C" not null,
  status text collate "C" not null,
  happened_at timestamp with time zone not null,
  event text not null,
  parents text[],
  release text collate "C" default ''::text,
  reporter text collate "C",
  proof text
);

create table ended_sessions (
  id uuid not null,
  until timestamp with time zone not null
);

create table event_counts (
  dimension text collate "C" not null,
  hour integer not null,
  name text collate "C" not null,
  events bigint not null
);
-- with fillfactor=70

create table faulty_events (
  kind text collate "C" not null,
  id uuid not null,
  service text collate "C" not null,
  environment text collate "C" not null,
  happened_at timestamp with time zone not null,
  reporter text collate "C"
);

create table fetcher_states (
  adapter text collate "C" not null,
  cursor text not null,
  updated_at timestamp with time zone not null
);

create table folds (
  single boolean not null default true,
  tick bigint not null default 0,
  last_id uuid,
  epoch uuid not null default gen_random_uuid()
);
-- with fillfactor=10

create table hold_exceptions (
  id uuid not null,
  hold_id uuid not null,
  services text[] not null,
  until timestamp with time zone not null,
  reason text not null,
  by text,
  created_at timestamp with time zone not null
);

create table hold_releases (
  hold_id uuid not null,
  at timestamp with time zone not null,
  by text,
  reason text
);

create table holds (
  id uuid not null,
  kind text collate "C" not null,
  services text[] not null,
  environments text[] not null,
  version text collate "C",
  begins_at timestamp with time zone not null,
  ends_at timestamp with time zone,
  reason text not null,
  url text,
  by text,
  source text collate "C",
  source_id text,
  created_at timestamp with time zone not null
);

create table hourly_counts (
  dimension text collate "C" not null,
  hour integer not null,
  name text collate "C" not null,
  rows bigint not null,
  tick bigint not null default 0
);
-- with fillfactor=70

create table kept_answers (
  digest text collate "C" not null,
  question text not null,
  resolved text not null,
  from_at timestamp with time zone not null,
  to_at timestamp with time zone not null,
  true_until bigint not null,
  loose_ends text[] collate "C",
  etag text not null,
  answer text not null,
  asked_at timestamp with time zone not null,
  last_id uuid
);
-- with fillfactor=50

create table latest_deployments (
  service text collate "C" not null,
  environment text collate "C" not null,
  status text collate "C" not null,
  happened_at timestamp with time zone not null,
  id uuid not null
);
-- with fillfactor=70

create table lead_times (
  id uuid not null,
  service text collate "C" not null,
  environment text collate "C" not null,
  happened_at timestamp with time zone not null,
  first_at timestamp with time zone not null,
  first_id uuid not null
);

create table log_heads (
  log text collate "C" not null,
  last_tick bigint not null default 0,
  removed_id uuid not null default '00000000-0000-0000-0000-000000000000'::uuid,
  gate_until timestamp with time zone,
  removed_tick bigint not null default 0,
  rewound_from uuid,
  rewound_to uuid,
  slots bigint not null default 0,
  proven_after bigint
);
-- with fillfactor=10

create table outage_rows (
  id uuid not null,
  source text collate "C" not null,
  outage_id text collate "C" not null,
  happened_at timestamp with time zone not null,
  row text not null
);

create table outages (
  source text collate "C" not null,
  outage_id text collate "C" not null,
  opened_at timestamp with time zone not null,
  resolved_at timestamp with time zone,
  is_open boolean not null,
  last_at timestamp with time zone not null,
  outage text not null
);

create table outcome_runs (
  service text collate "C" not null,
  environment text collate "C" not null,
  status text collate "C" not null,
  first_at timestamp with time zone not null,
  first_id uuid not null,
  last_at timestamp with time zone not null,
  last_id uuid not null,
  ended_at timestamp with time zone,
  ended_id uuid
);
-- with fillfactor=80

create table parent_links (
  parent text collate "C" not null,
  id uuid not null
);

create table promotions (
  deployment_id text collate "C" not null,
  parent text collate "C" not null,
  id uuid not null
);

create table refused_posts (
  day date not null,
  reason text not null,
  posts bigint not null
);

create table release_deployments (
  service text collate "C" not null,
  release text collate "C" not null,
  deployment_id text collate "C" not null
);

create table release_runs (
  service text collate "C" not null,
  environment text collate "C" not null,
  release text collate "C" not null,
  first_at timestamp with time zone not null,
  first_id uuid not null,
  last_at timestamp with time zone not null,
  last_id uuid not null,
  ended_at timestamp with time zone,
  ended_id uuid,
  earlier_id uuid
);
-- with fillfactor=80

create table release_shas (
  service text collate "C" not null,
  release text collate "C" not null,
  sha text collate "C" not null,
  last_at timestamp with time zone not null,
  last_id uuid not null
);
-- with fillfactor=80

create table releases (
  service text collate "C" not null,
  release text collate "C" not null,
  sha text collate "C" not null,
  last_at timestamp with time zone not null,
  last_id uuid not null
);
-- with fillfactor=70

create table removals (
  id uuid not null,
  event_id uuid not null,
  record text not null
);

create table removed_deployments (
  id uuid not null,
  deployment_id text collate "C" not null,
  service text collate "C" not null,
  environment text collate "C" not null,
  status text collate "C" not null,
  happened_at timestamp with time zone not null,
  event text not null,
  parents text[],
  release text collate "C",
  reporter text collate "C",
  proof text
);

create table reset (
  single boolean not null default true,
  state text collate "C" not null default 'idle'::text,
  correlation_id uuid,
  drain_until timestamp with time zone,
  expected text[] not null default '{}'::text[]
);
-- with fillfactor=10

create table schema_migrations (
  name text not null,
  checksum text not null,
  applied_at timestamp with time zone not null default now()
);

create table session_keys (
  id uuid not null default gen_random_uuid(),
  secret bytea not null,
  made_at timestamp with time zone not null default clock_timestamp()
);

create table slots (
  service text collate "C" not null,
  environment text collate "C" not null
);

create table status_runs (
  deployment_id text collate "C" not null,
  service text collate "C" not null,
  environment text collate "C" not null,
  status text collate "C" not null,
  first_at timestamp with time zone not null,
  first_id uuid not null,
  last_at timestamp with time zone not null,
  last_id uuid not null,
  ended_at timestamp with time zone,
  ended_id uuid,
  minutes double precision default ((round((date_part('epoch'::text, (ended_at - first_at)) * (1000000)::double precision)) / (1000000)::double precision) / (60)::double precision)
);
-- with fillfactor=80

create table unknown_parents (
  parent text collate "C" not null,
  id uuid not null,
  service text collate "C" not null,
  environment text collate "C" not null,
  happened_at timestamp with time zone not null
);

create table version_names (
  service text collate "C" not null,
  release text collate "C" not null
);

CREATE INDEX access_acts_by_part ON access_acts USING btree (part_of, id) WHERE (part_of IS NOT NULL);

CREATE UNIQUE INDEX access_acts_once_key ON access_acts USING btree (once);

CREATE UNIQUE INDEX access_acts_pkey ON access_acts USING btree (id);

CREATE UNIQUE INDEX access_pins_pkey ON access_pins USING btree (issuer, kind, folded);

CREATE INDEX change_days_empty ON change_days USING btree (day) WHERE (changes = 0);

CREATE UNIQUE INDEX change_days_pkey ON change_days USING btree (day, service, environment, status);

CREATE INDEX change_hours_empty ON change_hours USING btree (hour) WHERE (changes = 0);

CREATE UNIQUE INDEX change_hours_pkey ON change_hours USING btree (hour, status);

CREATE INDEX changes_by_end ON changes USING btree (last_at, last_id) INCLUDE (service, environment, status, first_at);

CREATE INDEX changes_by_slot ON changes USING btree (service, environment, last_at, last_id) INCLUDE (status, first_at);

CREATE INDEX changes_long ON changes USING btree (last_at) WHERE ((last_at - first_at) > '06:00:00'::interval);

CREATE INDEX changes_open ON changes USING btree (service, environment, last_at, last_id) WHERE (is_last AND (status = ANY (ARRAY['pending'::text, 'queued'::text, 'waiting'::text, 'in-progress'::text])));

CREATE UNIQUE INDEX changes_pkey ON changes USING btree (deployment_id, service, environment);

CREATE INDEX changes_timed ON changes USING btree (service, environment, last_at) INCLUDE (minutes, begun_at) WHERE (is_last AND (begun_id <> last_id));

CREATE INDEX component_reports_by_component ON component_reports USING btree (component_id, id);

CREATE INDEX component_reports_by_correlation ON component_reports USING btree (correlation_id, id) WHERE (correlation_id IS NOT NULL);

CREATE UNIQUE INDEX component_reports_pkey ON component_reports USING btree (id);

CREATE UNIQUE INDEX control_frames_pkey ON control_frames USING btree (id);

CREATE INDEX deployments_by_deployment ON deployments USING btree (deployment_id, happened_at, id);

CREATE INDEX deployments_by_environment ON deployments USING btree (environment, status, happened_at, id);

CREATE INDEX deployments_by_reporter ON deployments USING btree (reporter, id);

CREATE INDEX deployments_by_slot ON deployments USING btree (service, environment, status, happened_at, id) INCLUDE (deployment_id);

CREATE INDEX deployments_by_time ON deployments USING btree (happened_at, id);

CREATE INDEX deployments_contradicted ON deployments USING btree (id) WHERE (proof ~~ '{"contradicts":true%'::text);

CREATE UNIQUE INDEX deployments_pkey ON deployments USING btree (id);

CREATE UNIQUE INDEX ended_sessions_pkey ON ended_sessions USING btree (id);

CREATE UNIQUE INDEX event_counts_pkey ON event_counts USING btree (dimension, hour, name);

CREATE INDEX faulty_events_by_slot ON faulty_events USING btree (kind, service, environment, happened_at, id) INCLUDE (reporter);

CREATE UNIQUE INDEX faulty_events_pkey ON faulty_events USING btree (kind, id);

CREATE UNIQUE INDEX fetcher_states_pkey ON fetcher_states USING btree (adapter);

CREATE UNIQUE INDEX folds_pkey ON folds USING btree (single);

CREATE INDEX hold_exceptions_by_hold ON hold_exceptions USING btree (hold_id, id);

CREATE UNIQUE INDEX hold_exceptions_pkey ON hold_exceptions USING btree (id);

CREATE UNIQUE INDEX hold_releases_pkey ON hold_releases USING btree (hold_id);

CREATE INDEX holds_by_begin ON holds USING btree (begins_at, id);

CREATE UNIQUE INDEX holds_pkey ON holds USING btree (id);

CREATE UNIQUE INDEX hourly_counts_pkey ON hourly_counts USING btree (dimension, hour, name);

CREATE UNIQUE INDEX kept_answers_pkey ON kept_answers USING btree (digest);

CREATE INDEX latest_deployments_by_status ON latest_deployments USING btree (status, environment);

CREATE UNIQUE INDEX latest_deployments_pkey ON latest_deployments USING btree (service, environment, status);

CREATE INDEX lead_times_by_slot ON lead_times USING btree (service, environment, happened_at) INCLUDE (first_at);

CREATE UNIQUE INDEX lead_times_pkey ON lead_times USING btree (id);

CREATE UNIQUE INDEX log_heads_pkey ON log_heads USING btree (log);

CREATE INDEX outage_rows_by_outage ON outage_rows USING btree (source, outage_id, happened_at, id);

CREATE UNIQUE INDEX outage_rows_pkey ON outage_rows USING btree (id);

CREATE INDEX outages_by_opening ON outages USING btree (opened_at DESC, source, outage_id);

CREATE UNIQUE INDEX outages_pkey ON outages USING btree (source, outage_id);

CREATE INDEX outcome_runs_failed ON outcome_runs USING btree (service, environment, first_at, first_id) INCLUDE (last_at, last_id, ended_at, ended_id) WHERE (status = 'failure'::text);

CREATE UNIQUE INDEX outcome_runs_pkey ON outcome_runs USING btree (service, environment, first_at, first_id);

CREATE UNIQUE INDEX parent_links_pkey ON parent_links USING btree (parent, id);

CREATE INDEX promotions_by_parent ON promotions USING btree (parent, deployment_id);

CREATE UNIQUE INDEX promotions_pkey ON promotions USING btree (deployment_id, parent);

CREATE UNIQUE INDEX refused_posts_pkey ON refused_posts USING btree (day, reason);

CREATE UNIQUE INDEX release_deployments_pkey ON release_deployments USING btree (service, release, deployment_id);

CREATE INDEX release_runs_again ON release_runs USING btree (service, environment, first_at) WHERE (earlier_id IS NOT NULL);

CREATE INDEX release_runs_by_release ON release_runs USING btree (service, release, environment, first_at, first_id);

CREATE UNIQUE INDEX release_runs_pkey ON release_runs USING btree (service, environment, first_at, first_id);

CREATE INDEX release_shas_by_service ON release_shas USING btree (service, last_at, last_id);

CREATE INDEX release_shas_by_sha ON release_shas USING btree (lower(sha) text_pattern_ops);

CREATE INDEX release_shas_by_time ON release_shas USING btree (last_at, last_id);

CREATE UNIQUE INDEX release_shas_pkey ON release_shas USING btree (service, release, sha);

CREATE UNIQUE INDEX releases_pkey ON releases USING btree (service, release, sha);

CREATE UNIQUE INDEX removals_event_id_key ON removals USING btree (event_id);

CREATE UNIQUE INDEX removals_pkey ON removals USING btree (id);

CREATE UNIQUE INDEX reset_pkey ON reset USING btree (single);

CREATE UNIQUE INDEX schema_migrations_pkey ON schema_migrations USING btree (name);

CREATE UNIQUE INDEX session_keys_pkey ON session_keys USING btree (id);

CREATE UNIQUE INDEX slots_pkey ON slots USING btree (service, environment);

CREATE INDEX status_runs_by_slot ON status_runs USING btree (service, environment, status, first_at, first_id) INCLUDE (minutes) WHERE (status = ANY (ARRAY['pending'::text, 'queued'::text, 'waiting'::text, 'in-progress'::text]));

CREATE UNIQUE INDEX status_runs_pkey ON status_runs USING btree (deployment_id, service, environment, first_at, first_id);

CREATE UNIQUE INDEX unknown_parents_pkey ON unknown_parents USING btree (parent, id);

CREATE INDEX version_names_by_gram ON version_names USING gin (grams(release));

CREATE UNIQUE INDEX version_names_pkey ON version_names USING btree (service, release);

CREATE OR REPLACE FUNCTION arrival_lag(id uuid, happened_at timestamp with time zone)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN ((arrival_ms(id) * 1000) - ((EXTRACT(epoch FROM (happened_at - to_timestamp((0)::double precision))) * (1000000)::numeric))::bigint)
;

CREATE OR REPLACE FUNCTION arrival_ms(id uuid)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (((('x'::text || "left"((id)::text, 8)) || substr((id)::text, 10, 4)))::bit(48))::bigint
;

CREATE OR REPLACE FUNCTION close_slot()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if not exists (
    select from latest_deployments where service = old.service and environment = old.environment
  ) then
    delete from slots where service = old.service and environment = old.environment;
    if found then
      update log_heads set slots = slots - 1 where log = 'deployments';
    end if;
  end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION day_of(at timestamp with time zone)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN ((date_part('day'::text, (at - '4001-01-01 00:00:00+00 BC'::timestamp with time zone)))::integer - 2180498)
;

CREATE OR REPLACE FUNCTION fill_in_event()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.release := coalesce('v' || nullif(new.event::json ->> 'version', ''), 's' || nullif(new.event::json ->> 'sha', ''));
  new.reporter := new.event::json ->> 'progress_reporter';
  update log_heads set removed_tick = last_tick where log = 'deployments';
  if new.release is not null then
    insert into releases as known (service, release, sha, last_at, last_id)
    values (new.service, new.release, coalesce(new.event::json ->> 'sha', ''), new.happened_at, new.id)
    on conflict (service, release, sha) do update set last_at = excluded.last_at, last_id = excluded.last_id
    where (excluded.last_at, excluded.last_id) > (known.last_at, known.last_id);
  end if;
  return new;
end $function$
;

CREATE OR REPLACE FUNCTION grams(name text)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN ARRAY(SELECT DISTINCT substr(lower((grams.name COLLATE "C")), at.at, 3) AS substr FROM generate_series(1, (length(grams.name) - 2)) at(at))
;

CREATE OR REPLACE FUNCTION hour_of(at timestamp with time zone)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN ((((date_part('day'::text, (at - '4001-01-01 00:00:00+00 BC'::timestamp with time zone)) * (24)::double precision) + date_part('hour'::text, (at - '4001-01-01 00:00:00+00 BC'::timestamp with time zone))))::integer - (24 * 2180498))
;

CREATE OR REPLACE FUNCTION log_floor(at timestamp with time zone)
 RETURNS uuid
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN ((lpad(to_hex((log_tick(at) >> 12)), 12, '0'::text) || repeat('0'::text, 20)))::uuid
;

CREATE OR REPLACE FUNCTION log_id(tick bigint)
 RETURNS uuid
 LANGUAGE sql
 PARALLEL SAFE
RETURN ((((lpad(to_hex((tick >> 12)), 12, '0'::text) || '7'::text) || lpad(to_hex((tick & (4095)::bigint)), 3, '0'::text)) || "right"((gen_random_uuid())::text, 17)))::uuid
;

CREATE OR REPLACE FUNCTION log_instant(tick bigint)
 RETURNS text
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN to_char((to_timestamp(((((tick >> 12))::numeric / 1000.0))::double precision) AT TIME ZONE 'UTC'::text), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'::text)
;

CREATE OR REPLACE FUNCTION log_tick(at timestamp with time zone)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN ((floor((EXTRACT(epoch FROM at) * (1000)::numeric)))::bigint << 12)
;

CREATE OR REPLACE FUNCTION open_slot()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into slots values (new.service, new.environment) on conflict do nothing;
  if found then
    update log_heads set slots = slots + 1 where log = 'deployments';
  end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION queue_removed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into removed_deployments select old.*;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION rebuild_folds()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update folds set tick = -1;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION tick_floor(tick bigint)
 RETURNS uuid
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN ((((lpad(to_hex((tick >> 12)), 12, '0'::text) || '7'::text) || lpad(to_hex((tick & (4095)::bigint)), 3, '0'::text)) || repeat('0'::text, 16)))::uuid
;

alter table folds add constraint folds_single_check CHECK (single);

alter table hold_exceptions add constraint hold_exceptions_hold_id_fkey FOREIGN KEY (hold_id) REFERENCES holds(id) ON DELETE CASCADE;

alter table hold_releases add constraint hold_releases_hold_id_fkey FOREIGN KEY (hold_id) REFERENCES holds(id) ON DELETE CASCADE;

alter table reset add constraint reset_single_check CHECK (single);

CREATE TRIGGER close_slot AFTER DELETE ON latest_deployments FOR EACH ROW EXECUTE FUNCTION close_slot();

CREATE TRIGGER fill_in_event BEFORE INSERT ON deployments FOR EACH ROW WHEN ((new.release = ''::text)) EXECUTE FUNCTION fill_in_event();

CREATE TRIGGER open_slot AFTER INSERT ON latest_deployments FOR EACH ROW EXECUTE FUNCTION open_slot();

CREATE TRIGGER queue_removed AFTER DELETE ON deployments FOR EACH ROW WHEN ((current_setting('shiplog.rebuilds_folds'::text, true) IS DISTINCT FROM 'on'::text)) EXECUTE FUNCTION queue_removed();

CREATE TRIGGER rebuild_folds AFTER TRUNCATE ON deployments FOR EACH STATEMENT EXECUTE FUNCTION rebuild_folds();
