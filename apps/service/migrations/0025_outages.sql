-- Rows about outages; they are never updated.
create table outage_rows (
  id uuid primary key,
  source text collate "C" not null,
  outage_id text collate "C" not null,
  happened_at timestamptz not null,
  row text not null
);
create index outage_rows_by_outage on outage_rows (source, outage_id, happened_at, id);

-- What the rows of each outage add up to, without its links.
create table outages (
  source text collate "C" not null,
  outage_id text collate "C" not null,
  opened_at timestamptz not null,
  resolved_at timestamptz,
  is_open boolean not null,
  last_at timestamptz not null,
  outage text not null,
  primary key (source, outage_id)
);
create index outages_by_opening on outages (opened_at desc, source, outage_id);
