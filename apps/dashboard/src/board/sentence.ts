import type { MatrixSlot, Status } from '@shiplog/contract';
import { ageInWords } from '../ui/age.ts';
import { boxOf, versionOf } from './box.ts';

const verbs: Readonly<Partial<Record<Status, string>>> = {
  success: 'succeeded',
  failure: 'failed',
  'in-progress': 'started',
  cancelled: 'was cancelled',
  rejected: 'was rejected',
};

/** What a deployment did by moving to a status. */
export function verbOf(status: Status): string {
  return verbs[status] ?? `moved to ${status}`;
}

/** What a cell says to those who do not see it: "order-svc in staging: 2.11.0 failed 31 minutes ago; last success 2.10.7, 2 days ago". */
export function cellSentence(
  service: string,
  environment: string,
  slot: MatrixSlot | undefined,
  nowMs: number,
): string {
  if (!slot) return `${service} in ${environment}: never deployed`;
  const { current } = slot;
  const { warned, lastSuccess, next } = boxOf(slot);
  const ago = (instant: string) => ageInWords(Date.parse(instant), nowMs);
  const parts = [
    `${service} in ${environment}: ${versionOf(current)} ${verbOf(current.status)} ${ago(current.happened_at)}`,
    ...(warned ? ['the attempt before it failed'] : []),
    ...(lastSuccess ? [`last success ${versionOf(lastSuccess)}, ${ago(lastSuccess.happened_at)}`] : []),
    ...(next ? [`next ${versionOf(next)} is ${next.status}`] : []),
  ];
  return parts.join('; ');
}
