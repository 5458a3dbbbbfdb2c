-- Who posted an event. Null stands for the shared key, so that such events cost nothing more; events up to this tick are
-- from before proofs were stored.
alter table deployments add proof text;
-- It has the columns of deployments.
alter table removed_deployments add proof text;
alter table log_heads add proven_after bigint;
update log_heads set proven_after = last_tick where log = 'deployments';
-- Few events contradict the token with which they were posted.
create index deployments_contradicted on deployments (id) where proof like '{"contradicts":true%';

-- The id behind a name that a rule of the access file trusts. `folded` is the name as names of its issuer compare.
create table access_pins (
  issuer text collate "C" not null,
  kind text collate "C" not null,
  folded text collate "C" not null,
  name text not null,
  id text not null,
  at timestamptz not null default clock_timestamp(),
  primary key (issuer, kind, folded)
);

-- What changed about access, and what was refused. Rows are never updated.
create table access_acts (
  id uuid primary key,
  kind text collate "C" not null,
  subject text,
  reason text,
  count bigint not null default 1,
  detail jsonb,
  -- Of acts with the same value, only the first is stored.
  once text collate "C" unique,
  -- Rows with the same value are parts of one act.
  part_of text collate "C"
);
create index access_acts_by_part on access_acts (part_of, id) where part_of is not null;
