-- What earlier instances appended after release and reporter were added and before the triggers fill them in.
with repaired as (
  update deployments
  set release = coalesce('v' || nullif(event::json ->> 'version', ''), 's' || nullif(event::json ->> 'sha', '')),
    reporter = event::json ->> 'progress_reporter'
  where release is null and reporter is null and (nullif(event::json ->> 'version', '') is not null
    or nullif(event::json ->> 'sha', '') is not null or event::json ->> 'progress_reporter' is not null)
  returning service, release, coalesce(event::json ->> 'sha', '') as sha, happened_at, id
)
insert into releases as known (service, release, sha, last_at, last_id)
select distinct on (service, release, sha) service, release, sha, happened_at, id
from repaired where release is not null
order by service, release, sha, happened_at desc, id desc
on conflict (service, release, sha) do update set last_at = excluded.last_at, last_id = excluded.last_id
where (excluded.last_at, excluded.last_id) > (known.last_at, known.last_id);

-- What earlier instances pruned or cleared without its releases.
delete from releases where not exists (select from deployments where deployments.id = releases.last_id);

-- No answer of before counts as unchanged.
delete from kept_answers;
update log_heads set last_tick = greatest(last_tick + 1, log_tick(clock_timestamp())), removed_tick = last_tick + 1
where log = 'deployments';
