import type { Queries } from './database.ts';

/** Commits as an append does, flush and standbys included, and changes nothing. */
export async function trialPost(appends: Queries): Promise<void> {
  await appends.query({ text: `update log_heads set last_tick = last_tick where log = 'deployments'` });
}
