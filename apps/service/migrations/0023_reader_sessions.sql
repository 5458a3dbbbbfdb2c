-- The keys that encrypt the cookies of readers. A cookie needs a secret of the service's settings as well.
create table session_keys (
  id uuid primary key default gen_random_uuid(),
  secret bytea not null,
  made_at timestamptz not null default clock_timestamp()
);

-- Sessions that ended before their time.
create table ended_sessions (
  id uuid primary key,
  -- When the cookie would have ended.
  until timestamptz not null
);
