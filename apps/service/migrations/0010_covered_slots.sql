-- Which deployments the rows of a slot are of, without a look at the rows themselves: funnels and figures of a scope.
create index deployments_by_slot_covered on deployments (service, environment, status, happened_at, id)
  include (deployment_id);
drop index deployments_by_slot;
alter index deployments_by_slot_covered rename to deployments_by_slot;

-- The same hour, from whole numbers: it takes half as long.
create or replace function hour_of(at timestamptz) returns int
  language sql immutable parallel safe
  return (date_part('day', at - timestamptz '4001-01-01T00:00:00Z BC') * 24
    + date_part('hour', at - timestamptz '4001-01-01T00:00:00Z BC'))::int - 24 * 2180498;
