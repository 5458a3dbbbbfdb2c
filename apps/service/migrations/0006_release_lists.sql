-- The rows of a release.
create index deployments_by_release on deployments (service, release) where release is not null;

-- The latest row of each release and each sha of its rows (empty without one), written in the append transaction.
-- Like `latest_deployments` it holds nothing that could not be rebuilt from the log.
create table releases (
  service text collate "C" not null,
  release text collate "C" not null,
  sha text collate "C" not null,
  last_at timestamptz not null,
  last_id uuid not null,
  primary key (service, release, sha)
) with (fillfactor = 70);

insert into releases (service, release, sha, last_at, last_id)
select distinct on (service, release, sha) service, release, sha, happened_at, id
from (
  select *, coalesce(event::json ->> 'sha', '') as sha from deployments where release is not null
) released
order by service, release, sha, happened_at desc, id desc;

-- The same hour, in terms that never depend on a setting: so statements take the function in, and no call is made.
create or replace function hour_of(at timestamptz) returns int
  language sql immutable parallel safe
  return floor(extract(epoch from at - timestamptz '1970-01-01T00:00:00Z') / 3600)::int;
