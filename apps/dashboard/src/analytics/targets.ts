import { type AnalyticsWindow, type Status, unknownActor } from '@shiplog/contract';
import { type Address, feedOf, home } from '../state/address.ts';
import { dayInterval, windowInterval } from './span.ts';

/** The link of a mark: the address change that shows its rows. */
export type Target = Partial<Address>;

/** The figures are of the whole log, so what narrows the board or the feed at the moment must not narrow the rows behind them. */
function rowsOf(narrowed: Target): Target {
  return feedOf({ grouped: home.grouped, ...narrowed });
}

export function windowRows(window: AnalyticsWindow): Target {
  return rowsOf(windowInterval(window));
}

/** The rows of one UTC day, all or those with a status. */
export function dayRows(window: AnalyticsWindow, date: string, status?: Status): Target {
  return rowsOf({ ...dayInterval(date, window), status });
}

export function statusRows(window: AnalyticsWindow, status: Status): Target {
  return rowsOf({ ...windowInterval(window), status });
}

/** None for the rows that name no actor: the log cannot be asked for those (aggregation rule 5). */
export function actorRows(window: AnalyticsWindow, actor: string): Target | undefined {
  return actor === unknownActor ? undefined : rowsOf({ ...windowInterval(window), actor });
}

/** A stage counts deployments, so the rows of each stand together. */
export function stageRows(window: AnalyticsWindow, environment: string): Target {
  return rowsOf({
    ...windowInterval(window),
    filter: { ...home.filter, environments: [environment] },
    grouped: true,
  });
}

/** Deployments of every length: the log is not asked by duration. */
export function deploymentRows(window: AnalyticsWindow): Target {
  return rowsOf({ ...windowInterval(window), grouped: true });
}

/** An incident belongs to one slot; its history opens next to the page. */
export function slotHistory({
  service,
  environment,
}: {
  readonly service: string;
  readonly environment: string;
}): Target {
  return { slot: { service, environment } };
}
