-- Text compares by code point whatever the locale of the server: hence collate "C" throughout.

-- One row per log, locked by whoever changes that log until its transaction ends. That lock is what makes id order
-- commit order over all instances: ids are made after it was taken, so no transaction can make a lower id and commit
-- later. `last_tick` grows with every change of the log, so it also tells whether anything changed.
create table log_heads (
  log text collate "C" primary key,
  last_tick bigint not null default 0,
  -- The greatest id that was ever pruned or cleared: a stream resumed from below it has missed rows.
  removed_id uuid not null default '00000000-0000-0000-0000-000000000000'
) with (fillfactor = 10);

insert into log_heads (log) values ('deployments');

-- A tick is a millisecond times 4096 plus a sequence number: the 48 + 12 bits that order UUIDv7.
create function log_tick(at timestamptz) returns bigint
  language sql immutable parallel safe
  return floor(extract(epoch from at) * 1000)::bigint << 12;

create function log_id(tick bigint) returns uuid
  language sql volatile parallel safe
  return (lpad(to_hex(tick >> 12), 12, '0') || '7' || lpad(to_hex(tick & 4095), 3, '0')
    || right(gen_random_uuid()::text, 17))::uuid;

-- The log. `event` is the JSON that every surface sends; the columns beside it are what queries filter and order by.
create table deployments (
  id uuid primary key,
  deployment_id text collate "C" not null,
  service text collate "C" not null,
  environment text collate "C" not null,
  status text collate "C" not null,
  happened_at timestamptz not null,
  event text not null
);

create index deployments_by_time on deployments (happened_at, id);
create index deployments_by_deployment on deployments (deployment_id, happened_at, id);
create index deployments_by_slot on deployments (service, environment, status, happened_at, id);
create index deployments_by_environment on deployments (environment, status, happened_at, id);

-- The latest row of each (service, environment, status), written in the append transaction. It holds nothing that
-- could not be rebuilt from the log; the matrix, the discovery lists and the filters of the listing start from it.
create table latest_deployments (
  service text collate "C" not null,
  environment text collate "C" not null,
  status text collate "C" not null,
  happened_at timestamptz not null,
  id uuid not null,
  primary key (service, environment, status)
) with (fillfactor = 70);
