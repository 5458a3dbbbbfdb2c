import type { DeployJob, Deployment } from '../../src/adapters/gitlab/answers.ts';

const aJob: DeployJob = {
  id: 7101,
  name: 'deploy-dev',
  isTag: false,
  webUrl: 'https://gitlab.com/acme/ledger/-/jobs/7101',
};

/** A deployment as read from a response; without a job unless some of the job's fields are given. */
export function aDeployment({ job, ...fields }: Partial<Omit<Deployment, 'job'>> & { job?: Partial<DeployJob> } = {}) {
  const deployment: Deployment = {
    ...{ id: 701, status: 'success' as const, ref: 'main', sha: 'b'.repeat(40), actor: 'olivia', environment: 'dev' },
    ...{ createdAt: '2026-05-04T08:10:00.000Z', updatedAt: '2026-05-04T08:15:00.000Z' },
    ...fields,
    ...(job && { job: { ...aJob, ...job } }),
  };
  return deployment;
}

/** A deployment as GitLab sends it, without fields that are `undefined`. */
export function shownDeployment(fields: Readonly<Record<string, unknown>> = {}) {
  return {
    ...{ id: 701, status: 'success', ref: 'main', sha: 'b'.repeat(40) },
    ...{ created_at: '2026-05-04T08:10:00.000Z', updated_at: '2026-05-04T08:15:00.000Z' },
    ...{ user: { username: 'olivia' }, environment: { name: 'dev' } },
    deployable: {
      ...{ id: aJob.id, name: aJob.name, tag: aJob.isTag, web_url: aJob.webUrl },
      ...{ started_at: '2026-05-04T08:11:00.000Z', finished_at: '2026-05-04T08:15:00.000Z' },
      pipeline: { id: 71, iid: 1, created_at: '2026-05-04T08:09:59.000Z' },
    },
    ...fields,
  };
}
