import { githubHtmlUrl } from '@shiplog/companions';
import { type GithubDeployment, type GithubStatus, inOrder, pathOf, type Repository, seenAt } from '../domain/model.ts';
import type { Run, RunJob } from '../domain/run.ts';
import { logUrlOf } from '../store.ts';
import { instant, numberOf, person } from './context.ts';

/** The environment names that GitHub treats as production. */
const production = /^prod(uction)?$/i;

export function isProduction(environment: string): boolean {
  return production.test(environment);
}

/** The API address for links, and the instant at which the store is read. */
export interface Reader {
  readonly apiUrl: string;
  readonly seenAt: number;
}

export function deploymentShape(repository: Repository, deployment: GithubDeployment, { apiUrl, seenAt: at }: Reader) {
  const repositoryUrl = `${apiUrl}/repos/${pathOf(repository)}`;
  const url = `${repositoryUrl}/deployments/${deployment.id}`;
  const statuses = seenAt(deployment.statuses, at);
  return {
    url,
    id: deployment.id,
    node_id: nodeId('Deployment', deployment.id),
    sha: deployment.sha,
    ref: deployment.ref,
    task: deployment.task,
    payload: deployment.payload,
    original_environment: deployment.environment,
    environment: deployment.environment,
    description: null,
    creator: person(deployment.creator),
    created_at: instant(deployment.at),
    updated_at: instant(Math.max(deployment.at, ...statuses.map((status) => status.at))),
    statuses_url: `${url}/statuses`,
    repository_url: repositoryUrl,
    transient_environment: deployment.transient,
    production_environment: isProduction(deployment.environment),
  };
}

export function statusShape(
  repository: Repository,
  deployment: GithubDeployment,
  status: GithubStatus,
  { apiUrl }: Pick<Reader, 'apiUrl'>,
) {
  const repositoryUrl = `${apiUrl}/repos/${pathOf(repository)}`;
  const deploymentUrl = `${repositoryUrl}/deployments/${deployment.id}`;
  const logUrl = logUrlOf(repository, deployment, status);
  return {
    url: `${deploymentUrl}/statuses/${status.id}`,
    id: status.id,
    node_id: nodeId('DeploymentStatus', status.id),
    state: status.state,
    creator: person(status.creator),
    description: '',
    environment: deployment.environment,
    target_url: logUrl,
    created_at: instant(status.at),
    updated_at: instant(status.at),
    deployment_url: deploymentUrl,
    repository_url: repositoryUrl,
    environment_url: '',
    log_url: logUrl,
  };
}

/** Newest first, like GitHub. */
export function statusesOf(deployment: GithubDeployment, at: number): GithubStatus[] {
  return inOrder(seenAt(deployment.statuses, at)).reverse();
}

export function runShape(repository: Repository, run: Run) {
  return {
    id: run.id,
    name: run.workflow.name,
    node_id: nodeId('WorkflowRun', run.id),
    head_branch: run.ref.replace(/^refs\/(heads|tags)\//, ''),
    head_sha: run.sha,
    // GitHub adds the ref of the file.
    path: `${run.workflow.path}@${run.ref}`,
    display_title: `${run.workflow.name} ${run.sha.slice(0, 7)}`,
    run_number: runNumber(repository, run),
    event: 'push',
    status: run.phase,
    conclusion: run.conclusion,
    workflow_id: run.workflow.id,
    html_url: `${githubHtmlUrl}/${pathOf(repository)}/actions/runs/${run.id}`,
    created_at: instant(run.createdAt),
    updated_at: instant(run.updatedAt),
    actor: person(run.actor),
    run_attempt: run.attempt,
    triggering_actor: person(run.actor),
  };
}

/** The runs of a workflow are numbered by id. */
export function runNumber({ deployments }: Repository, { id, workflow }: Run): number {
  const ids = [...deployments.values()].flatMap(({ run }) =>
    run?.workflow.id === workflow.id && run.id <= id ? [run.id] : [],
  );
  return new Set(ids).size;
}

export function jobShape(repository: Repository, run: Run, job: RunJob) {
  return {
    id: job.id,
    run_id: run.id,
    node_id: nodeId('CheckRun', job.id),
    head_sha: run.sha,
    html_url: `${githubHtmlUrl}/${pathOf(repository)}/actions/runs/${run.id}/job/${job.id}`,
    status: job.phase,
    conclusion: job.conclusion,
    started_at: instant(job.startedAt),
    completed_at: job.completedAt === null ? null : instant(job.completedAt),
    name: job.job.name,
    run_attempt: job.attempt,
    workflow_name: run.workflow.name,
  };
}

export function repositoryShape(repository: Repository) {
  const fullName = pathOf(repository);
  return {
    id: repository.id,
    node_id: nodeId('Repository', repository.id),
    name: repository.name,
    full_name: fullName,
    private: true,
    owner: { login: repository.owner, id: numberOf(repository.owner), type: repository.ownerType },
    html_url: `${githubHtmlUrl}/${fullName}`,
    archived: repository.archived,
    disabled: false,
    default_branch: 'main',
  };
}

export function environmentShape(repository: Repository, name: string) {
  return { id: numberOf(`${repository.id}/${name}`), node_id: nodeId('Environment', numberOf(name)), name };
}

function nodeId(kind: string, id: number): string {
  return Buffer.from(`0${kind.length}:${kind}${id}`).toString('base64');
}
