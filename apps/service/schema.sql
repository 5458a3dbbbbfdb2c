create table deployments (
  id uuid not null,
  deployment_id text collate "C" not null,
  service text collate "C" not null,
  environment text collate "C" not null,
  status text collate "C" not null,
  happened_at timestamp with time zone not null,
  event text not null
);

create table latest_deployments (
  service text collate "C" not null,
  environment text collate "C" not null,
  status text collate "C" not null,
  happened_at timestamp with time zone not null,
  id uuid not null
);
-- with fillfactor=70

create table log_heads (
  log text collate "C" not null,
  last_tick bigint not null default 0,
  removed_id uuid not null default '00000000-0000-0000-0000-000000000000'::uuid
);
-- with fillfactor=10

create table schema_migrations (
  name text not null,
  checksum text not null,
  applied_at timestamp with time zone not null default now()
);

CREATE INDEX deployments_by_deployment ON deployments USING btree (deployment_id, happened_at, id);

CREATE INDEX deployments_by_environment ON deployments USING btree (environment, status, happened_at, id);

CREATE INDEX deployments_by_slot ON deployments USING btree (service, environment, status, happened_at, id);

CREATE INDEX deployments_by_time ON deployments USING btree (happened_at, id);

CREATE UNIQUE INDEX deployments_pkey ON deployments USING btree (id);

CREATE UNIQUE INDEX latest_deployments_pkey ON latest_deployments USING btree (service, environment, status);

CREATE UNIQUE INDEX log_heads_pkey ON log_heads USING btree (log);

CREATE UNIQUE INDEX schema_migrations_pkey ON schema_migrations USING btree (name);

CREATE OR REPLACE FUNCTION log_id(tick bigint)
 RETURNS uuid
 LANGUAGE sql
 PARALLEL SAFE
RETURN ((((lpad(to_hex((tick >> 12)), 12, '0'::text) || '7'::text) || lpad(to_hex((tick & (4095)::bigint)), 3, '0'::text)) || "right"((gen_random_uuid())::text, 17)))::uuid
;

CREATE OR REPLACE FUNCTION log_tick(at timestamp with time zone)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN ((floor((EXTRACT(epoch FROM at) * (1000)::numeric)))::bigint << 12)
;
