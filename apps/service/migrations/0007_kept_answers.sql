-- The tick of the log at which an event of this hour was last stored, written in the append transaction.
alter table hourly_counts add column tick bigint not null default 0;

-- The tick from which on nothing was removed from the log: an answer from before it may count what is gone.
alter table log_heads add column removed_tick bigint not null default 0;

-- The least id that an event of this tick could have.
create function tick_floor(tick bigint) returns uuid
  language sql immutable parallel safe
  return (lpad(to_hex(tick >> 12), 12, '0') || '7' || lpad(to_hex(tick & 4095), 3, '0') || repeat('0', 16))::uuid;

-- Computed answers of analytics, for all instances. Nothing is lost with them but time.
create table kept_answers (
  digest text collate "C" primary key,
  question text not null,
  resolved text not null,
  from_at timestamptz not null,
  to_at timestamptz not null,
  -- The log up to this tick is known to give this answer.
  true_until bigint not null,
  -- Ancestors of which nothing was known before the end of the window; null where they are too many.
  loose_ends text[] collate "C",
  etag text not null,
  answer text not null,
  asked_at timestamptz not null
) with (fillfactor = 50);
