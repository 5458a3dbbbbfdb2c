import type { Queries } from './database.ts';

const commit = `update log_heads set last_tick = last_tick where log = 'deployments'`;

/**
 * Writes 1 MiB of rows to the log's disk. The rows are too short to be compressed. Skipped if the role can't create
 * temporary tables.
 */
const takeRoom = `
  if has_database_privilege(current_database(), 'TEMP') then
    perform set_config('temp_tablespaces', '', true);
    create temporary table shiplog_room on commit drop as
      select repeat('.', 1900) as filler from generate_series(1, 560);
  end if;`;

/**
 * Commits like an append, including the flush and the wait for standbys, without changing anything.
 * @param needsRoom also allocates pages, because updating an existing row works even on a full disk.
 */
export async function trialPost(appends: Queries, needsRoom: boolean): Promise<void> {
  await appends.query({ text: needsRoom ? `do $$ begin ${takeRoom} ${commit}; end $$` : commit });
}
