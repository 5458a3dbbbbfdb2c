import type { Queries } from './database.ts';

const commit = `update log_heads set last_tick = last_tick where log = 'deployments'`;

/**
 * About a mebibyte of rows that are too short to be compressed, in a table that is gone with the transaction, on the disk
 * of the log. A role that may not have such a table does without.
 */
const takeRoom = `
  if has_database_privilege(current_database(), 'TEMP') then
    perform set_config('temp_tablespaces', '', true);
    create temporary table shiplog_room on commit drop as
      select repeat('.', 1900) as filler from generate_series(1, 560);
  end if;`;

/**
 * Commits as an append does, flush and standbys included, and changes nothing.
 * @param needsRoom that it also takes new pages on the disk, as posts do now and then: to change a row that is there, a
 *   full disk has room.
 */
export async function trialPost(appends: Queries, needsRoom: boolean): Promise<void> {
  await appends.query({ text: needsRoom ? `do $$ begin ${takeRoom} ${commit}; end $$` : commit });
}
