import type { Queries } from './database.ts';

const commit = `update log_heads set last_tick = last_tick where log = 'deployments'`;

/** 1 MiB of rows, too short to be compressed, on the disk of the log; skipped for a role without temporary tables. */
const takeRoom = `
  if has_database_privilege(current_database(), 'TEMP') then
    perform set_config('temp_tablespaces', '', true);
    create temporary table shiplog_room on commit drop as
      select repeat('.', 1900) as filler from generate_series(1, 560);
  end if;`;

/**
 * Commits like an append, including flush and standbys, without changing anything.
 * @param needsRoom also allocates pages, because updating an existing row works even on a full disk.
 */
export async function trialPost(appends: Queries, needsRoom: boolean): Promise<void> {
  await appends.query({ text: needsRoom ? `do $$ begin ${takeRoom} ${commit}; end $$` : commit });
}
