import { githubHtmlUrl, gitlabHtmlUrl } from '@shiplog/companions';
import { jobIdOf, runOf } from '../domain/run.ts';
import { numberOf, person } from '../github/context.ts';
import {
  deploymentShape,
  environmentShape,
  jobShape,
  type Reader,
  repositoryShape,
  runShape,
  statusShape,
} from '../github/shapes.ts';
import { person as gitlabPerson, jobId, slugOf, tierOf } from '../gitlab/shapes.ts';
import type { Change } from '../store.ts';

/** The name and body of a webhook. */
export interface HookEvent {
  readonly event: string;
  readonly body: object;
}

type GithubChange = Exclude<Change, { kind: 'gitlab' | 'outage' }>;
type ProjectChange = Extract<Change, { kind: 'gitlab' }>;

const reader: Reader = { apiUrl: 'https://api.github.com', seenAt: Number.POSITIVE_INFINITY };

/** GitHub's webhook events for a change (CI emulator §8). `inactive` has none. */
export function githubEvents(change: GithubChange): HookEvent[] {
  const { repository, deployment } = change;
  const run = deployment.run && runOf(repository, deployment.run.id, reader.seenAt);
  const workflow = run
    ? { id: run.workflow.id, name: run.workflow.name, path: run.workflow.path, state: run.workflow.state }
    : null;
  const base = {
    workflow_run: run ? runShape(repository, run) : null,
    repository: repositoryShape(repository),
    organization: { login: repository.owner, id: numberOf(repository.owner) },
    sender: person(deployment.creator),
  };
  const shown = deploymentShape(repository, deployment, reader);
  if (change.kind === 'deployment') {
    const created = { event: 'deployment', body: { action: 'created', deployment: shown, workflow, ...base } };
    const isFirst = run?.deployments.length === 1;
    return isFirst ? [{ event: 'workflow_run', body: { action: 'requested', workflow, ...base } }, created] : [created];
  }
  if (change.kind === 'deployment_review') {
    const { state, comment, user } = change.review;
    const environments = [environmentShape(repository, deployment.environment)];
    const body = { action: state, approver: person(user), comment, reviewers: [], environments, ...base };
    return [{ event: 'deployment_review', body }];
  }
  if (change.status.state === 'inactive') return [];
  const job = run?.jobs.find(({ id }) => id === jobIdOf(repository, deployment));
  const status = statusShape(repository, deployment, change.status, reader);
  const checkRun = run && job ? jobShape(repository, run, job) : null;
  const body = {
    action: 'created',
    deployment_status: status,
    deployment: shown,
    check_run: checkRun,
    workflow,
    ...base,
  };
  const events = [{ event: 'deployment_status', body }];
  if (run?.phase !== 'completed') return events;
  return [...events, { event: 'workflow_run', body: { action: 'completed', workflow, ...base } }];
}

/** GitLab reports only the start and the end of a deployment. */
const reportedStatuses: readonly string[] = ['running', 'success', 'failed', 'canceled'];

export function gitlabEvents({ project, deployment, change }: ProjectChange): HookEvent[] {
  if (!reportedStatuses.includes(change.status)) return [];
  const webUrl = `${gitlabHtmlUrl}/${project.path}`;
  const job = jobId(project, deployment);
  const [namespace, name] = [project.path.split('/').slice(0, -1).join('/'), project.path.split('/').at(-1)];
  const body = {
    object_kind: 'deployment',
    status: change.status,
    status_changed_at: hookInstant(change.at, project.utcOffset),
    deployment_id: deployment.id,
    deployable_id: job ?? null,
    deployable_url: job === undefined ? null : `${webUrl}/-/jobs/${job}`,
    environment: deployment.environment,
    environment_tier: tierOf(deployment.environment),
    environment_slug: slugOf(deployment.environment),
    environment_external_url: null,
    project: {
      id: project.id,
      name,
      namespace,
      web_url: webUrl,
      path_with_namespace: project.path,
      default_branch: 'main',
    },
    ref: deployment.ref,
    short_sha: deployment.sha.slice(0, 8),
    user: gitlabPerson(deployment.user),
    user_url: `${gitlabHtmlUrl}/${deployment.user}`,
    commit_url: `${webUrl}/-/commit/${deployment.sha}`,
    commit_title: `Deploy ${deployment.sha.slice(0, 8)}`,
  };
  return [{ event: 'Deployment Hook', body }];
}

/** `2021-04-28 21:50:00 +0200`, a format that only webhooks use. */
function hookInstant(ms: number, utcOffset: string): string {
  const offset = utcOffset === 'Z' ? '+00:00' : utcOffset;
  const sign = offset.startsWith('-') ? -1 : 1;
  const [hours = 0, minutes = 0] = offset.slice(1).split(':').map(Number);
  const local = new Date(ms + sign * (hours * 60 + minutes) * 60_000).toISOString();
  return `${local.slice(0, 10)} ${local.slice(11, 19)} ${offset.replace(':', '')}`;
}

/** The first event of a new GitHub target. */
export function pingEvent(hookId: number): HookEvent {
  return {
    event: 'ping',
    body: {
      zen: 'Keep it logically awesome.',
      hook_id: hookId,
      hook: { type: 'Repository', id: hookId, url: githubHtmlUrl },
    },
  };
}
