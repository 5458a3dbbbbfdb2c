import { type DeploymentEvent, instantKey } from '@shiplog/contract';

/** Earlier first: by time, then by id, as the log sorts (reading 4.2). */
export function byTime(left: DeploymentEvent, right: DeploymentEvent): number {
  const [one, other] = [instantKey(left.happened_at), instantKey(right.happened_at)];
  if (one !== other) return one < other ? -1 : 1;
  return left.id < right.id ? -1 : Number(left.id > right.id);
}

/** The order of the listing (§4 Read). */
export function newestFirst(left: DeploymentEvent, right: DeploymentEvent): number {
  return byTime(right, left);
}
