-- The last event of the log that a kept answer is known to be true of. With another one there, or none, tables were
-- emptied or restored beneath it.
alter table kept_answers add column last_id uuid;
delete from kept_answers;
