-- Trust in the log (questions.md 10): when a row arrived is known from its id alone, and who posted it from its JSON.

-- Milliseconds since 1970.
create function arrival_ms(id uuid) returns bigint language sql immutable parallel safe
return ('x' || left(id::text, 8) || substr(id::text, 10, 4))::bit(48)::bigint;

-- From what happened to the arrival, in microseconds; negative where it was dated ahead.
create function arrival_lag(id uuid, happened_at timestamptz) returns bigint language sql immutable parallel safe
return arrival_ms(id) * 1000 - (extract(epoch from happened_at - to_timestamp(0)) * 1000000)::bigint;

-- Null where the row has none.
create function reporter_of(event text) returns text language sql immutable parallel safe
return event::json ->> 'progress_reporter';

-- The last rows of each reporter, without a look into the others'.
create index deployments_by_reporter on deployments (reporter_of(event) collate "C", id);

-- The rows that findings are about, which are few; with other numbers than these a statement would look at all rows.
create index deployments_ahead on deployments (id) where arrival_lag(id, happened_at) < -300000000;
create index deployments_late on deployments (reporter_of(event) collate "C")
  where arrival_lag(id, happened_at) > 86400000000;
