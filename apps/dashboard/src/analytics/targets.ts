import { type AnalyticsWindow, type Status, unknownActor } from '@shiplog/contract';
import { type Address, feedOf, home } from '../state/address.ts';
import { dayInterval, windowInterval } from './span.ts';

/** The change to the address that shows the rows behind a chart mark. */
export type Target = Partial<Address>;

/** Resets all filters, because the figures cover the whole log. */
function rowsOf(narrowed: Target): Target {
  return feedOf({ grouped: home.grouped, ...narrowed });
}

export function windowRows(window: AnalyticsWindow): Target {
  return rowsOf(windowInterval(window));
}

export function dayRows(window: AnalyticsWindow, date: string, status?: Status): Target {
  return rowsOf({ ...dayInterval(date, window), status });
}

export function statusRows(window: AnalyticsWindow, status: Status): Target {
  return rowsOf({ ...windowInterval(window), status });
}

/** Lists an actor's rows; `undefined` for rows without an actor, which can't be listed (aggregation rule 5). */
export function actorRows(window: AnalyticsWindow, actor: string): Target | undefined {
  return actor === unknownActor ? undefined : rowsOf({ ...windowInterval(window), actor });
}

/** Lists the rows of a stage, grouped by deployment because a stage counts deployments. */
export function stageRows(window: AnalyticsWindow, environment: string): Target {
  return rowsOf({
    ...windowInterval(window),
    filter: { ...home.filter, environments: [environment] },
    grouped: true,
  });
}

/** Lists deployments of any duration, because the log has no filter by duration. */
export function deploymentRows(window: AnalyticsWindow): Target {
  return rowsOf({ ...windowInterval(window), grouped: true });
}

export interface Slot {
  readonly service: string;
  readonly environment: string;
}

/** An incident belongs to one slot. The history of the slot opens next to the page. */
export function slotHistory({ service, environment }: Slot): Target {
  return { slot: { service, environment } };
}
