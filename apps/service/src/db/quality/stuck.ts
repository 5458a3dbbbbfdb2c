import { type Status, stageStatuses } from '@shiplog/contract';
import type { Scope } from '../../domain/scope.ts';
import { within } from '../analytics/span.ts';
import type { Queries } from '../database.ts';
import { slotCounter } from './slots.ts';

/** Deployments in their place whose last event is not final and is older than an hour; the values start at `$1`. */
const open = (inScope: string) => `
  select deployment_id, service, environment, status, last_at, last_id from changes
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

export interface StuckPlace {
  readonly service: string;
  readonly environment: string;
  readonly deployment_id: string;
  readonly status: Status;
  readonly last_id: string;
  /** `happened_at` of the last event, as stored. */
  readonly since: string;
}

/** The stuck deployment with the latest event of each place. */
export function readStuck(queries: Queries, scope: Scope | undefined): Promise<StuckPlace[]> {
  const inScope = within(scope, 'changes', 1);
  return queries.query<StuckPlace>({
    text: `
      select newest.*, event::json ->> 'happened_at' as since from (
        select distinct on (service, environment) * from (${stuck(inScope.text)}) stuck
        order by service, environment, last_at desc, last_id desc
      ) newest join deployments on id = last_id`,
    values: inScope.values,
  });
}
