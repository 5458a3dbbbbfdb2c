-- What an event deploys: 'v' and the version, else 's' and the sha, else nothing; a version never equals a sha, and an
-- empty one is none (questions.md 12.1). And who posted it. A rewrite of the columns fills them without a second copy of
-- each row.
alter table deployments
  add column release text collate "C",
  add column reporter text collate "C";

alter table deployments
  alter column release type text collate "C" using coalesce(
    'v' || nullif(event::json ->> 'version', ''),
    's' || nullif(event::json ->> 'sha', '')
  ),
  alter column reporter type text collate "C" using event::json ->> 'progress_reporter';
