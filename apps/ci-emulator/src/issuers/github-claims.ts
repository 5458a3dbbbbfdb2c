import { pathOf, type Repository, seenAt } from '../domain/model.ts';
import { runOf } from '../domain/run.ts';
import { numberOf } from '../github/context.ts';
import { runNumber } from '../github/shapes.ts';
import { type Claims, fullRef, type JobClaims, newestFor, type RequestedJob, refType } from './job-claims.ts';

/** Includes every existing run, even those that readers can't see yet. */
const always = Number.POSITIVE_INFINITY;

/** The claims of GitHub Actions, all of them strings; `undefined` without a matching run. */
export function githubClaims(repository: Repository, requested: RequestedJob): JobClaims | undefined {
  const rows = seenAt(repository.deployments.values(), always);
  const ofRun = rows.filter(({ run }) => run && (requested.run === undefined || run.id === requested.run));
  const newest = newestFor(ofRun, requested.environment);
  const run = newest?.run && runOf(repository, newest.run.id, always);
  const deployment = run && newestFor(run.deployments, requested.environment);
  if (!run || !deployment) return undefined;
  const path = pathOf(repository);
  const ref = fullRef(run.ref);
  const job = run.jobs.findLast(({ deployments }) => deployments.includes(deployment));
  const claims = {
    ref,
    sha: run.sha,
    repository: path,
    repository_owner: repository.owner,
    repository_owner_id: String(numberOf(repository.owner)),
    run_id: String(run.id),
    run_number: String(runNumber(repository, run)),
    run_attempt: String(run.attempt),
    repository_visibility: 'private',
    repository_id: String(repository.id),
    actor_id: String(numberOf(run.actor)),
    actor: run.actor,
    workflow: run.workflow.name,
    head_ref: '',
    base_ref: '',
    event_name: 'push',
    ref_protected: String(ref === 'refs/heads/main'),
    ref_type: refType(ref),
    workflow_ref: `${path}/${run.workflow.path}@${ref}`,
    workflow_sha: run.sha,
    job_workflow_ref: `${path}/${job?.job.file ?? run.workflow.path}@${ref}`,
    job_workflow_sha: run.sha,
    runner_environment: 'github-hosted',
    environment: requested.environment ?? deployment.environment,
    ...(job && { check_run_id: String(job.id) }),
  };
  return { claims, subject };
}

function subject({ repository, environment, event_name, ref }: Claims): string {
  const place = `repo:${repository}`;
  if (environment !== undefined) return `${place}:environment:${String(environment).replaceAll(':', '%3A')}`;
  return event_name === 'pull_request' ? `${place}:pull_request` : `${place}:ref:${ref}`;
}
