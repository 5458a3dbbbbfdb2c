import type { Status } from '@shiplog/contract';
import { expect, test } from 'vitest';
import { isOpen, meaningOf, provedBy, verdictOf } from '../src/adapters/gitlab/statuses.ts';
import { aDeployment } from './support/gitlab-answers.ts';

const created = '2026-05-04T08:10:00.000Z';
const started = '2026-05-04T08:11:00.000+02:00';
const finished = '2026-05-04T08:15:00.000Z';
const updated = '2026-05-04T08:16:00.000Z';

test.each<[status: string, job: { startedAt?: string; finishedAt?: string } | undefined, expected: object]>([
  ['created', {}, { pending: created }],
  ['blocked', {}, { pending: created, waiting: updated }],
  ['running', { startedAt: started }, { pending: created, 'in-progress': started }],
  ['running', {}, { pending: created, 'in-progress': created }],
  ['running', undefined, { pending: created, 'in-progress': created }],
  [
    'success',
    { startedAt: started, finishedAt: finished },
    { pending: created, 'in-progress': started, success: finished },
  ],
  ['success', { finishedAt: finished }, { success: finished }],
  ['success', { startedAt: started }, { pending: created, 'in-progress': started, success: updated }],
  ['success', undefined, { success: updated }],
  [
    'failed',
    { startedAt: started, finishedAt: finished },
    { pending: created, 'in-progress': started, failure: finished },
  ],
  ['failed', {}, { failure: updated }],
  ['canceled', { startedAt: started, finishedAt: finished }, { pending: created, cancelled: finished }],
  ['canceled', {}, { pending: created, cancelled: updated }],
  ['skipped', undefined, { pending: created, cancelled: updated }],
])('§10.2: %s with the job %j proves %j', (status, job, expected) => {
  const deployment = aDeployment({ status, createdAt: created, updatedAt: updated, ...(job && { job }) });
  const proofs = provedBy(deployment);
  expect(proofs?.map((proof) => [proof.status, proof.at])).toEqual(Object.entries(expected));
});

test.each(['', 'approved', 'constructor', 'SUCCESS'])('the status %j proves no change', (status) => {
  expect([provedBy(aDeployment({ status })), meaningOf(aDeployment({ status }))]).toEqual([undefined, undefined]);
});

test.each([
  ['deployment_rejected', 'rejected'],
  ['failed_outdated_deployment_job', 'cancelled'],
  ['script_failure', 'failure'],
  ['', 'failure'],
])('a job with the failure reason %j becomes %s', (reason, expected) => {
  expect(verdictOf(reason)).toBe(expected);
});

test.each<[string, Status | undefined, boolean]>([
  ['created', 'pending', true],
  ['blocked', 'waiting', true],
  ['running', 'in-progress', true],
  ['success', 'success', false],
  ['failed', 'failure', false],
  ['canceled', 'cancelled', false],
  ['skipped', 'cancelled', false],
  ['constructor', undefined, false],
])('the GitLab status %s means %s; whether other statuses may follow: %s', (status, meaning, open) => {
  expect([meaningOf(aDeployment({ status })), isOpen(status)]).toEqual([meaning, open]);
});
