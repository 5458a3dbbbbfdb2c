-- False events that were taken back, with the reason (reading 8.7). The id is of the tick at which the log lost the event;
-- the record is finished JSON.
create table removals (
  id uuid primary key,
  event_id uuid not null unique,
  record text not null
);
