import type { Status } from '@shiplog/contract';
import type { Deployment } from './answers.ts';

/** A change that a response from GitLab proves. */
export interface Proof {
  readonly status: Status;
  readonly at: string;
}

/**
 * All changes that the timestamps of a deployment prove, oldest first (fetcher §10.2). `failure` includes every kind of
 * failure, which only the job shows. `undefined` for an unknown status.
 */
export function provedBy({ status, createdAt, updatedAt, job }: Deployment): Proof[] | undefined {
  const pending: Proof = { status: 'pending', at: createdAt };
  const started: Proof = { status: 'in-progress', at: job?.startedAt ?? createdAt };
  const endedAt = job?.finishedAt ?? updatedAt;
  const begun = job?.startedAt === undefined ? [] : [pending, started];
  switch (status) {
    case 'created':
      return [pending];
    case 'blocked':
      return [pending, { status: 'waiting', at: updatedAt }];
    case 'running':
      return [pending, started];
    case 'success':
      return [...begun, { status: 'success', at: endedAt }];
    case 'failed':
      return [...begun, { status: 'failure', at: endedAt }];
    case 'canceled':
    case 'skipped':
      return [pending, { status: 'cancelled', at: endedAt }];
    default:
      return undefined;
  }
}

const verdicts: ReadonlyMap<string, Status> = new Map([
  ['deployment_rejected', 'rejected'],
  ['failed_outdated_deployment_job', 'cancelled'],
]);

/** The kind of a failure, by the `failure_reason` of its job. */
export function verdictOf(failureReason: string): Status {
  return verdicts.get(failureReason) ?? 'failure';
}

const openStatuses: readonly string[] = ['created', 'blocked', 'running'];

export function isOpen(status: string): boolean {
  return openStatuses.includes(status);
}

/** The meaning of the deployment's status alone; `undefined` for an unknown status. */
export function meaningOf(deployment: Deployment): Status | undefined {
  return provedBy(deployment)?.at(-1)?.status;
}
