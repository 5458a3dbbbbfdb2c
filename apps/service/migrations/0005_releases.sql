-- What an event deploys: 'v' and the version, else 's' and the sha, else nothing; a version never equals a sha, and an
-- empty one is none (questions.md 12.1). A rewrite of the column fills it without a second copy of each row.
alter table deployments add column release text collate "C";

alter table deployments alter column release type text collate "C" using coalesce(
  'v' || nullif(event::json ->> 'version', ''),
  's' || nullif(event::json ->> 'sha', '')
);
