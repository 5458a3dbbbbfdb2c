-- How many posts were refused on each UTC day, by reason. The reasons are a short list, and days are kept for a month, so
-- the table stays small. It is no part of the log: nothing is derived from it.
create table refused_posts (
  day date not null,
  reason text not null,
  posts bigint not null,
  primary key (day, reason)
);
