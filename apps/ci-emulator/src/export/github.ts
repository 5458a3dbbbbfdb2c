import type { Status } from '@shiplog/contract';
import { neededJobs } from '../domain/jobs.ts';
import type { GithubDeployment, GithubStatus, Repository } from '../domain/model.ts';
import { jobOf, type Run, type RunJob, runOf } from '../domain/run.ts';
import { logUrlOf } from '../store.ts';
import { distinct, type ImpliedEvent } from './implied-event.ts';

const always = Number.POSITIVE_INFINITY;

/** The events of a repository's deployments (fetcher §9), without transient ones. */
export function githubEventsOf(repository: Repository): ImpliedEvent[] {
  const runs = new Map<number, Run | undefined>();
  return [...repository.deployments.values()]
    .filter(({ removedAt, transient }) => removedAt === undefined && !transient)
    .flatMap((deployment) => {
      const id = deployment.run?.id;
      if (id !== undefined && !runs.has(id)) runs.set(id, runOf(repository, id, always));
      return distinct(eventsOf({ repository, deployment, run: id === undefined ? undefined : runs.get(id) }));
    });
}

/** A deployment with its repository, and its Actions run if it has one. */
interface Made {
  readonly repository: Repository;
  readonly deployment: GithubDeployment;
  readonly run: Run | undefined;
}

function eventsOf(made: Made): ImpliedEvent[] {
  const { repository, deployment } = made;
  const statuses = deployment.statuses.toSorted((one, other) => one.at - other.at || one.id - other.id);
  const parents = parentsOf(made);
  return statuses.flatMap((status, index) => {
    const meaning = statusOf(made, status, statuses.slice(0, index));
    if (meaning === undefined) return [];
    const runUrl = logUrlOf(repository, deployment, status) || undefined;
    return [
      {
        deploymentId: `gh-deploy-${deployment.id}`,
        service: repository.name,
        environment: deployment.environment,
        status: meaning,
        at: status.at,
        instant: new Date(status.at).toISOString().replace('.000Z', 'Z'),
        version: deployment.sha.slice(0, 7),
        actor: actorOf(made, status),
        ref: deployment.ref,
        sha: deployment.sha,
        runUrl,
        runNumber: runUrl && /\/actions\/runs\/(\d+)/.exec(runUrl)?.[1],
        parents,
      },
    ];
  });
}

const open: readonly string[] = ['pending', 'queued', 'waiting', 'in_progress'];

function statusOf(made: Made, status: GithubStatus, before: readonly GithubStatus[]): Status | undefined {
  switch (status.state) {
    case 'in_progress':
      return 'in-progress';
    case 'failure':
    case 'error':
      return verdictOn(made);
    case 'inactive': {
      // `inactive` counts only if the deployment was superseded while open; after its end, or alone, it is ignored.
      const last = before.at(-1);
      return last && open.includes(last.state) ? 'cancelled' : undefined;
    }
    default:
      return status.state;
  }
}

/** Why a deployment failed: rejected by a person, cancelled, or an error (fetcher §9.3). */
function verdictOn({ repository, deployment, run }: Made): Status {
  const isRejected = run?.deployments.some(
    ({ environment, reviews }) =>
      environment === deployment.environment && reviews.some(({ state }) => state === 'rejected'),
  );
  if (isRejected) return 'rejected';
  const job = run?.jobs.find((one) => isJobOf(repository, one, deployment));
  const conclusion = job ? job.conclusion : run?.conclusion;
  return conclusion === 'cancelled' ? 'cancelled' : 'failure';
}

function isJobOf(repository: Repository, { job, attempt, deployments }: RunJob, deployment: GithubDeployment): boolean {
  const own = jobOf(repository, deployment);
  return attempt === deployment.run?.attempt && job === own && deployments.includes(deployment);
}

/** The first actor who is not a bot, or the first actor if all are bots (fetcher §9.2). */
function actorOf({ deployment, run }: Made, status: GithubStatus): string {
  const names = [...(run ? [run.actor] : []), deployment.creator, status.creator];
  return names.find((name) => !name.endsWith('[bot]')) ?? names[0] ?? '';
}

/**
 * The deployments that this one was promoted from: follows `needs` upwards past jobs that do not deploy, and collects
 * all deployments of the nearest jobs that do (fetcher §9.4).
 */
function parentsOf({ repository, deployment, run }: Made): string[] {
  const own = jobOf(repository, deployment);
  if (!run || !own) return [];
  const jobs = [...new Set(run.jobs.map(({ job }) => job))];
  const parents = new Set<number>();
  const seen = new Set([own]);
  const waiting = neededJobs(jobs, own);
  for (let job = waiting.pop(); job; job = waiting.pop()) {
    if (seen.has(job)) continue;
    seen.add(job);
    const made = run.deployments.filter((one) => jobOf(repository, one) === job);
    const newest = Math.max(...made.map((one) => one.run?.attempt ?? 1));
    for (const one of made) if (one.run?.attempt === newest) parents.add(one.id);
    if (made.length === 0) waiting.push(...neededJobs(jobs, job));
  }
  return [...parents].map((id) => `gh-deploy-${id}`);
}
