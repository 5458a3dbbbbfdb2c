import type { DeploymentEvent, Status } from '@shiplog/contract';
import { isInFuture, longAgeOf, versionOf } from '@shiplog/text';
import type { AgeContext } from './age.ts';
import type { Box } from './box.ts';
import { dayTime } from './day-time.ts';
import { type Drift, driftWords } from './drift.ts';

const verbs: Readonly<Partial<Record<Status, string>>> = {
  success: 'succeeded',
  failure: 'failed',
  'in-progress': 'started',
  cancelled: 'was cancelled',
  rejected: 'was rejected',
};

function verbOf(status: Status): string {
  return verbs[status] ?? `moved to ${status}`;
}

/**
 * Describes a cell to screen readers: "order-svc in staging: 2.11.0 failed 31 minutes ago; last success 2.10.7,
 * 2 days ago".
 */
export function cellSentence(
  service: string,
  environment: string,
  box: Box | undefined,
  ages: AgeContext,
  drift?: Drift,
): string {
  const state = box ? boxSentence(box, ages) : 'never deployed';
  return `${service} in ${environment}: ${state}${drift ? `; ${driftWords(drift)}` : ''}`;
}

/** Describes a box, without its service and environment. */
export function boxSentence({ isFirst, named, latest, ...box }: Box, { nowMs, isOut }: AgeContext): string {
  const ago = ({ happened_at }: DeploymentEvent) => {
    const atMs = Date.parse(happened_at);
    return isOut && !isInFuture(atMs, nowMs) ? dayTime(atMs, nowMs) : longAgeOf(atMs, nowMs);
  };
  const did = (event: DeploymentEvent, version = versionOf(event)) =>
    `${version} ${verbOf(event.status)} ${ago(event)}`;
  const { warned, hidden, lastSuccess, next } = box;
  const parts = [
    did(latest, versionOf(named)),
    ...(isFirst ? ['first deployment here'] : []),
    ...(hidden ? [`hides a newer event: ${did(hidden)}`] : []),
    ...(warned ? ['the previous attempt failed'] : []),
    ...(lastSuccess ? [`last success ${versionOf(lastSuccess)}, ${ago(lastSuccess)}`] : []),
    ...(next ? [`next ${versionOf(next)} is ${next.status}`] : []),
  ];
  return parts.join('; ');
}
