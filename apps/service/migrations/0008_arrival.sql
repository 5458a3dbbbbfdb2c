-- Trust in the log (questions.md 10): when a row arrived is known from its id alone, nothing else tells it.

-- Milliseconds since 1970.
create function arrival_ms(id uuid) returns bigint language sql immutable parallel safe
return ('x' || left(id::text, 8) || substr(id::text, 10, 4))::bit(48)::bigint;

-- From what happened to the arrival, in microseconds; negative where it was dated ahead.
create function arrival_lag(id uuid, happened_at timestamptz) returns bigint language sql immutable parallel safe
return arrival_ms(id) * 1000 - (extract(epoch from happened_at - to_timestamp(0)) * 1000000)::bigint;

-- The last rows of each reporter, without a look into the others'.
create index deployments_by_reporter on deployments (reporter, id);
