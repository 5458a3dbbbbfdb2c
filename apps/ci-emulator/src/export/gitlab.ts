import { gitlabHtmlUrl } from '@shiplog/companions';
import type { Status } from '@shiplog/contract';
import type { GitlabDeployment, Pipeline, Project } from '../domain/model.ts';
import { instant } from '../gitlab/context.ts';
import { jobId, stateOf } from '../gitlab/shapes.ts';
import { distinct, type ImpliedEvent } from './implied-event.ts';

/**
 * The events of a project's deployments (fetcher §10), derived from their latest status. A log may also contain earlier
 * statuses that were visible only for a while, such as `waiting`.
 */
export function gitlabEventsOf(project: Project): ImpliedEvent[] {
  return [...project.deployments.values()]
    .filter(({ removedAt }) => removedAt === undefined)
    .flatMap((deployment) => distinct(eventsOf(project, deployment), { byStatus: true }));
}

function eventsOf(project: Project, deployment: GitlabDeployment): ImpliedEvent[] {
  const { job } = deployment;
  const pipeline = job?.pipeline;
  const fields = {
    deploymentId: `gl-deploy-${deployment.id}`,
    service: project.path.split('/').at(-1) ?? '',
    environment: deployment.environment,
    version: deployment.sha.slice(0, 8),
    actor: deployment.user,
    ref: deployment.ref,
    sha: deployment.sha,
    runUrl: job && `${gitlabHtmlUrl}/${project.path}/-/jobs/${jobId(project, deployment)}`,
    runNumber: pipeline && String(pipeline.id),
    parents: parentsOf(project, deployment),
  };
  return changesOf(deployment).map(({ status, at }) => ({
    ...fields,
    status,
    at,
    instant: instant(at, project.utcOffset),
  }));
}

/** Every status change that can be derived from a deployment in the API (fetcher §10.2). */
function changesOf(deployment: GitlabDeployment): { readonly status: Status; readonly at: number }[] {
  const { status, updatedAt, startedAt, finishedAt, failureReason } = stateOf(deployment, Number.POSITIVE_INFINITY);
  const created = { status: 'pending' as const, at: deployment.at };
  // Without a job, the start and end are unknown.
  const started = deployment.job ? startedAt : undefined;
  const ended = (deployment.job ? finishedAt : undefined) ?? updatedAt;
  const begun = started === undefined ? [] : [created, { status: 'in-progress' as const, at: started }];
  switch (status) {
    case 'created':
      return [created];
    case 'blocked':
      return [created, { status: 'waiting', at: updatedAt }];
    case 'running':
      return [created, { status: 'in-progress', at: started ?? deployment.at }];
    case 'success':
      return [...begun, { status: 'success', at: ended }];
    case 'failed':
      return [...begun, { status: failures[failureReason ?? ''] ?? 'failure', at: ended }];
    default:
      return [created, { status: 'cancelled', at: ended }];
  }
}

const failures: Readonly<Record<string, Status>> = {
  deployment_rejected: 'rejected',
  failed_outdated_deployment_job: 'cancelled',
};

/** The parents of a job: follows its needs upwards to the nearest jobs that deploy (fetcher §10.4). */
function parentsOf(project: Project, deployment: GitlabDeployment): string[] {
  const { job } = deployment;
  if (!job) return [];
  const siblings = [...project.deployments.values()].filter(
    (one) => one.removedAt === undefined && one.job?.pipeline.id === job.pipeline.id,
  );
  const made = (name: string) => siblings.filter((one) => one.job?.name === name);
  const parents = new Set<number>();
  const seen = new Set([job.name]);
  const waiting = needsOf(job.pipeline, job.name, (name) => made(name).length > 0);
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (seen.has(name)) continue;
    seen.add(name);
    // A retried job has several deployments; the newest counts.
    const newest = made(name).reduce((greatest, { id }) => Math.max(greatest, id), 0);
    if (newest > 0) parents.add(newest);
    else waiting.push(...needsOf(job.pipeline, name, (other) => made(other).length > 0));
  }
  return [...parents].map((id) => `gl-deploy-${id}`);
}

/** The jobs that a job needs; without `needs`, the jobs of the nearest earlier stage that deploys. */
function needsOf({ stages, jobs }: Pipeline, name: string, deploys: (name: string) => boolean): string[] {
  const job = jobs.find((one) => one.name === name);
  if (!job) return [];
  if (job.needs) return [...job.needs];
  const earlier = stages.slice(0, Math.max(0, stages.indexOf(job.stage))).reverse();
  const stage = earlier.find((one) => jobs.some((other) => other.stage === one && deploys(other.name)));
  return jobs.filter((other) => other.stage === stage && deploys(other.name)).map((other) => other.name);
}
