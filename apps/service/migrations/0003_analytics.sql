-- What analytics need beside the columns of the listings.

alter table deployments add column parents text[];

update deployments
set parents = array(select json_array_elements_text(event::json -> 'parent_deployments'))
where event::json -> 'parent_deployments' is not null;

-- How many events an hour has, by status and by actor, written in the append transaction. `hour` counts from 1970 in
-- UTC. Like `latest_deployments` it holds nothing that could not be rebuilt from the log.
create table hourly_counts (
  dimension text collate "C" not null,
  hour int not null,
  name text collate "C" not null,
  rows bigint not null,
  primary key (dimension, hour, name)
) with (fillfactor = 70);

create function hour_of(at timestamptz) returns int
  language sql immutable parallel safe
  return floor(extract(epoch from at) / 3600)::int;

insert into hourly_counts (dimension, hour, name, rows)
select dimension, hour_of(happened_at), name, count(*)
from deployments
cross join lateral (values ('status', status), ('actor', coalesce(event::json ->> 'actor', 'unknown')))
  as counted (dimension, name)
group by 1, 2, 3;
