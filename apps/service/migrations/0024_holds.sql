-- Freezes, locks and bad versions. Rows are never updated: a hold is what its rows add up to.
create table holds (
  id uuid primary key,
  kind text collate "C" not null,
  services text[] not null,
  environments text[] not null,
  version text collate "C",
  begins_at timestamptz not null,
  ends_at timestamptz,
  reason text not null,
  url text,
  by text,
  source text collate "C",
  source_id text,
  created_at timestamptz not null
);
create index holds_by_begin on holds (begins_at, id);

-- The first release wins.
create table hold_releases (
  hold_id uuid primary key references holds on delete cascade,
  at timestamptz not null,
  by text,
  reason text
);

create table hold_exceptions (
  id uuid primary key,
  hold_id uuid not null references holds on delete cascade,
  services text[] not null,
  until timestamptz not null,
  reason text not null,
  by text,
  created_at timestamptz not null
);
create index hold_exceptions_by_hold on hold_exceptions (hold_id, id);
