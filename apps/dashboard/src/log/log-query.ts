import { type DeploymentEvent, instantKey } from '@shiplog/contract';
import type { Slot } from '../board/board.ts';
import { instantKeyOf } from '../board/instant.ts';

export interface ListQuery {
  readonly service?: string;
  readonly environment?: string;
  readonly deployment_id?: string;
  readonly until?: string;
}

export interface LogQuery {
  readonly listing: ListQuery;
  /** Whether an event belongs to the listing. */
  readonly wants: (event: DeploymentEvent) => boolean;
  /** Equal queries have equal keys. */
  readonly key: string;
}

/** A deployment in one place. */
export type Deployed = Pick<DeploymentEvent, 'deployment_id' | 'service' | 'environment'>;

export function deploymentKey({ deployment_id, service, environment }: Deployed): string {
  return JSON.stringify([deployment_id, service, environment]);
}

/** The events of one deployment in one place. */
export function logQueryOfChange(change: Deployed): LogQuery {
  const { deployment_id, service, environment } = change;
  return {
    listing: { service, environment, deployment_id },
    wants: (event) =>
      event.deployment_id === deployment_id && event.service === service && event.environment === environment,
    key: deploymentKey(change),
  };
}

/** The history of one slot, up to a time if one is given. */
export function logQueryOfSlot(slot: Slot, asof?: string): LogQuery {
  const { service, environment } = slot;
  const last = asof === undefined ? undefined : instantKeyOf(asof);
  return {
    // The past board includes events at exactly `asof`, and `until` is exclusive.
    listing: { service, environment, ...(asof !== undefined && { until: momentAfter(asof) }) },
    wants: (event) =>
      event.service === service &&
      event.environment === environment &&
      (last === undefined || instantKey(event.happened_at) <= last),
    key: JSON.stringify([slot, asof]),
  };
}

/** The end of the millisecond that includes a time. */
export function momentAfter(instant: string): string {
  return new Date(Math.floor(Date.parse(instant)) + 1).toISOString();
}
