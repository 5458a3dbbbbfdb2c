-- In which environments a status occurs, without reading the latest row of every slot. Its columns never change, so it
-- costs only the first row of a slot and status.
create index latest_deployments_by_status on latest_deployments (status, environment);
