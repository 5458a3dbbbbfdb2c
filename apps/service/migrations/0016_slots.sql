-- Every (service, environment) of the log, and their number beside the lock of the log, so that an append knows whether
-- there is room for further ones without counting. The triggers fire for the first and the last row of a place and status.
lock table log_heads, latest_deployments in access exclusive mode;

create table slots (
  service text collate "C" not null,
  environment text collate "C" not null,
  primary key (service, environment)
);
insert into slots select distinct service, environment from latest_deployments;

alter table log_heads add column slots bigint not null default 0;
update log_heads set slots = (select count(*) from slots) where log = 'deployments';

create function open_slot() returns trigger language plpgsql as $$
begin
  insert into slots values (new.service, new.environment) on conflict do nothing;
  if found then
    update log_heads set slots = slots + 1 where log = 'deployments';
  end if;
  return null;
end $$;
create trigger open_slot after insert on latest_deployments for each row execute function open_slot();

create function close_slot() returns trigger language plpgsql as $$
begin
  if not exists (
    select from latest_deployments where service = old.service and environment = old.environment
  ) then
    delete from slots where service = old.service and environment = old.environment;
    if found then
      update log_heads set slots = slots - 1 where log = 'deployments';
    end if;
  end if;
  return null;
end $$;
create trigger close_slot after delete on latest_deployments for each row execute function close_slot();
