-- An instance of an earlier version, still running while a later one has migrated, appends without release, reporter and
-- the ticks of counts. An append of this version always gives them; a default marks a release that was left out. Without
-- its tick a count does not say that it has changed, so no kept answer counts as true after such an append.
alter table deployments alter column release set default '';

create function fill_in_event() returns trigger language plpgsql as $$
begin
  new.release := coalesce('v' || nullif(new.event::json ->> 'version', ''), 's' || nullif(new.event::json ->> 'sha', ''));
  new.reporter := new.event::json ->> 'progress_reporter';
  update log_heads set removed_tick = last_tick where log = 'deployments';
  if new.release is not null then
    insert into releases as known (service, release, sha, last_at, last_id)
    values (new.service, new.release, coalesce(new.event::json ->> 'sha', ''), new.happened_at, new.id)
    on conflict (service, release, sha) do update set last_at = excluded.last_at, last_id = excluded.last_id
    where (excluded.last_at, excluded.last_id) > (known.last_at, known.last_id);
  end if;
  return new;
end $$;
create trigger fill_in_event before insert on deployments
  for each row when (new.release = '') execute function fill_in_event();
