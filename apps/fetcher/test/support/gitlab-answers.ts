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
    id: 701,
    status: 'success',
    createdAt: '2026-05-04T08:10:00.000Z',
    updatedAt: '2026-05-04T08:15:00.000Z',
    ref: 'main',
    sha: 'b'.repeat(40),
    actor: 'olivia',
    environment: 'dev',
    ...fields,
    ...(job && { job: { ...aJob, ...job } }),
  };
  return deployment;
}

/** A deployment as GitLab sends it, without fields that are `undefined`. */
export function shownDeployment(fields: Readonly<Record<string, unknown>> = {}) {
  return {
    id: 701,
    status: 'success',
    created_at: '2026-05-04T08:10:00.000Z',
    updated_at: '2026-05-04T08:15:00.000Z',
    ref: 'main',
    sha: 'b'.repeat(40),
    user: { username: 'olivia' },
    environment: { name: 'dev' },
    deployable: {
      id: 7101,
      name: 'deploy-dev',
      tag: false,
      started_at: '2026-05-04T08:11:00.000Z',
      finished_at: '2026-05-04T08:15:00.000Z',
      web_url: 'https://gitlab.com/acme/ledger/-/jobs/7101',
      pipeline: { id: 71, iid: 1, created_at: '2026-05-04T08:09:59.000Z' },
    },
    ...fields,
  };
}
