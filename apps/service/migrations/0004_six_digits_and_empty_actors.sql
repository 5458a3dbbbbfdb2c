-- Events keep six fraction digits of happened_at (reading 3.3). Quotes inside a text are escaped, so the member's name
-- with its quotes stands in an event once.
update deployments
set event = regexp_replace(event, '("happened_at":"[^"]*\.\d{6})\d+Z"', '\1Z"')
where event ~ '"happened_at":"[^"]*\.\d{7,}Z"';

-- An empty actor counts as none (reading 5.9).
insert into hourly_counts (dimension, hour, name, rows)
select dimension, hour, 'unknown', rows from hourly_counts where dimension = 'actor' and name = ''
on conflict (dimension, hour, name) do update set rows = hourly_counts.rows + excluded.rows;

delete from hourly_counts where dimension = 'actor' and name = '';
