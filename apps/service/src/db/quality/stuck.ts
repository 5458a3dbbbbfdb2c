import { stageStatuses } from '@shiplog/contract';
import { slotCounter } from './slots.ts';

/** Deployments in their place whose last event is not final and is older than an hour; the values start at `$1`. */
const open = (inScope: string) => `
  select service, environment, last_at, last_id from changes
  where is_last and status in ('${stageStatuses.join("', '")}') and last_at < now() - interval '1 hour' ${inScope}`;

/**
 * `usual`: the 95th percentile of the durations of deployments that ended in a place in the last 30 days, as an
 * interval; null without one (questions.md 12.10 and 12.12).
 */
const usualOf = (place: string) => `(
  select percentile_disc(0.95) within group (order by last_at - begun_at) from changes
  where service = ${place}.service and environment = ${place}.environment and is_last and begun_id <> last_id
    and last_at >= now() - interval '720 hours' and last_at < now())`;

const stuck = (inScope: string) => `
  select open.* from (${open(inScope)}) open
  join (
    select service, environment, ${usualOf('place')} as usual from (select distinct service, environment from (${open(inScope)}) every) place
  ) place using (service, environment)
  where usual is null or now() - last_at > 3 * usual`;

/** Deployments that are unfinished and much older than usual (questions.md 10.2, `stuck`). */
export const countStuck = slotCounter(
  'changes',
  (inScope) => `select service, environment, last_at as happened_at, last_id as id from (${stuck(inScope)}) stuck`,
);
