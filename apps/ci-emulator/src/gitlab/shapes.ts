import { type GitlabStatus, gitlabHtmlUrl } from '@shiplog/companions';
import {
  type GitlabApproval,
  type GitlabDeployment,
  inOrder,
  type Pipeline,
  type Project,
  seenAt,
} from '../domain/model.ts';
import { instant } from './context.ts';

/** A deployment at an instant: its newest status, and when it started and finished. */
export interface ShownState {
  readonly status: GitlabStatus;
  readonly updatedAt: number;
  readonly startedAt: number | undefined;
  readonly finishedAt: number | undefined;
  readonly failureReason: string | undefined;
}

const finished: readonly GitlabStatus[] = ['success', 'failed', 'canceled', 'skipped'];

export function stateOf({ changes, at }: GitlabDeployment, seen: number): ShownState {
  const inTurn = inOrder(seenAt(changes, seen));
  const last = inTurn.at(-1);
  return {
    status: last?.status ?? 'created',
    updatedAt: last?.at ?? at,
    startedAt: inTurn.find(({ status }) => status === 'running')?.at,
    finishedAt: last && finished.includes(last.status) ? last.at : undefined,
    failureReason: last?.failureReason,
  };
}

/** The job status for each deployment status. */
const jobStatuses: Readonly<Record<GitlabStatus, string>> = {
  created: 'created',
  blocked: 'manual',
  running: 'running',
  success: 'success',
  failed: 'failed',
  canceled: 'canceled',
  skipped: 'skipped',
};

export function deploymentShape(project: Project, deployment: GitlabDeployment, seen: number) {
  const state = stateOf(deployment, seen);
  const time = (ms: number) => instant(ms, project.utcOffset);
  return {
    id: deployment.id,
    iid: deployment.iid,
    ref: deployment.ref,
    sha: deployment.sha,
    status: state.status,
    created_at: time(deployment.at),
    updated_at: time(state.updatedAt),
    user: person(deployment.user),
    environment: environmentShape(project, deployment.environment, false),
    deployable: deployment.job ? jobShape(project, deployment, state) : null,
  };
}

export function approvalShape(project: Project, { user, status, at, comment }: GitlabApproval) {
  return { user: person(user), status, created_at: instant(at, project.utcOffset), comment };
}

/** A deployment's job, both as its `deployable` and as a separate resource. */
export function jobShape(project: Project, deployment: GitlabDeployment, state: ShownState) {
  const { pipeline, name } = deployment.job ?? { pipeline: undefined, name: '' };
  const id = jobId(project, deployment) ?? 0;
  const time = (ms: number | undefined) => (ms === undefined ? null : instant(ms, project.utcOffset));
  return {
    id,
    name,
    stage: pipeline?.jobs.find((job) => job.name === name)?.stage ?? '',
    status: jobStatuses[state.status],
    ref: deployment.ref,
    tag: false,
    created_at: time(deployment.at),
    started_at: time(state.startedAt),
    finished_at: time(state.finishedAt),
    web_url: `${gitlabHtmlUrl}/${project.path}/-/jobs/${id}`,
    user: person(deployment.user),
    pipeline: pipeline && {
      id: pipeline.id,
      iid: pipeline.iid,
      ref: deployment.ref,
      sha: deployment.sha,
      status: jobStatuses[state.status],
      web_url: `${gitlabHtmlUrl}/${project.path}/-/pipelines/${pipeline.id}`,
    },
  };
}

/** The id of a deployment's job. In GitLab, a retry is a new job with a greater id. */
export function jobId(project: Project, { id, job }: GitlabDeployment): number | undefined {
  return job && attemptId(job.pipeline, job.name, triesOf(project, job).filter((one) => one.id < id).length);
}

/** The id of the latest attempt of a pipeline's job, whether it has deployed or not. */
export function latestJobId(project: Project, pipeline: Pipeline, name: string): number {
  return attemptId(pipeline, name, Math.max(0, triesOf(project, { pipeline, name }).length - 1));
}

function triesOf({ deployments }: Project, { pipeline, name }: NonNullable<GitlabDeployment['job']>) {
  return [...deployments.values()].filter(({ job }) => job?.pipeline.id === pipeline.id && job.name === name);
}

/** Retries get the ids after those of all jobs. */
function attemptId({ id, jobs }: Pipeline, name: string, retries: number): number {
  return id * 100 + jobs.findIndex((job) => job.name === name) + 1 + retries * jobs.length;
}

export function projectShape({ id, path, archived }: Project) {
  const name = path.split('/').at(-1);
  return { id, name, path: name, path_with_namespace: path, web_url: `${gitlabHtmlUrl}/${path}`, archived };
}

/** GitLab guesses the tier from the name. */
const tiers: readonly (readonly [pattern: RegExp, tier: string])[] = [
  [/^prod|^live$/i, 'production'],
  [/^stag|^pre|^uat$/i, 'staging'],
  [/^qa$|^test/i, 'testing'],
  [/^dev|^review/i, 'development'],
];

export function tierOf(environment: string): string {
  return tiers.find(([pattern]) => pattern.test(environment))?.[1] ?? 'other';
}

export function slugOf(environment: string): string {
  return environment
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 24);
}

export function environmentShape(project: Project, name: string, isWhole: boolean) {
  const id = project.id * 1000 + project.environments.indexOf(name) + 1;
  if (!isWhole) return { id, name, external_url: null };
  return { id, name, slug: slugOf(name), state: 'available', tier: tierOf(name), external_url: null };
}

export function person(username: string) {
  const id = [...username].reduce((sum, sign) => (sum * 31 + (sign.codePointAt(0) ?? 0)) % 9_000_000, 7) + 1000;
  return { id, username, name: username, state: 'active', web_url: `${gitlabHtmlUrl}/${username}` };
}
