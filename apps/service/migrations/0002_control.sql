-- What components report and are told, the cursors that fetchers keep here, and the reset.

-- Two more logs, each with its own lock and ticks (0001).
insert into log_heads (log) values ('control'), ('components');

-- Appends to this log are refused until then; null = open. In the past it is open too: a gate opens by itself.
alter table log_heads add column gate_until timestamptz;

-- The id below every id that is made at this moment or later.
create function log_floor(at timestamptz) returns uuid
  language sql immutable parallel safe
  return (lpad(to_hex(log_tick(at) >> 12), 12, '0') || repeat('0', 20))::uuid;

-- A tick's moment as the wire writes it.
create function log_instant(tick bigint) returns text
  language sql stable parallel safe
  return to_char(to_timestamp((tick >> 12) / 1000.0) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');

-- The frames of the control stream. `frame` is the JSON of its data.
create table control_frames (
  id uuid primary key,
  type text collate "C" not null,
  component text collate "C" not null,
  frame text not null
);

-- What components reported. `record` is the JSON that every surface sends.
create table component_reports (
  id uuid primary key,
  component_id text collate "C" not null,
  correlation_id text collate "C",
  event_type text collate "C" not null,
  state text collate "C" not null,
  record text not null
);

create index component_reports_by_component on component_reports (component_id, id);
create index component_reports_by_correlation on component_reports (correlation_id, id) where correlation_id is not null;

-- The only store that is overwritten: the latest write wins.
create table fetcher_states (
  adapter text collate "C" primary key,
  cursor text not null,
  updated_at timestamptz not null
);

-- The reset, one row: where it is and until when it waits. Every instance reads it, whoever locks it may take a step.
create table reset (
  single boolean primary key default true check (single),
  state text collate "C" not null default 'idle',
  -- Of the reset in flight, or of the last one: the id of its `reset-initiated` frame.
  correlation_id uuid,
  drain_until timestamptz,
  expected text[] not null default '{}'
) with (fillfactor = 10);

insert into reset default values;
