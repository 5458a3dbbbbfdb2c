-- Another value once events that the folds had are gone, so that what was worked out from them elsewhere is done again.
alter table folds add column epoch uuid not null default gen_random_uuid();
