import type { Status } from '@shiplog/contract';
import type { Change } from '../../change.ts';
import type { Actor, Deployment, DeploymentStatus } from './api.ts';

/** The input for a change, as far as it is known (fetcher §9.2). */
export interface Known {
  /** The kind of the adapter. */
  readonly adapter: string;
  /** `owner/name` */
  readonly repo: string;
  readonly deployment: Deployment;
  readonly status: DeploymentStatus;
  readonly meaning: Status;
  /** The name of the run's workflow, and who started it. */
  readonly run?: { readonly name: string; readonly actor: Actor | undefined } | undefined;
  /** The name of the job; empty where it is not known. */
  readonly job: string;
  readonly parents: readonly string[];
}

const shortSha = 7;
const tagPrefix = 'refs/tags/';

export function changeId(deploymentId: number): string {
  return `gh-deploy-${deploymentId}`;
}

export function changeOf({ adapter, repo, deployment, status, meaning, run, job, parents }: Known): Change {
  const { url, runId } = linksOf(status);
  const { sha, ref, task, environment, payload } = deployment;
  const [owner = '', name = ''] = repo.split('/');
  return {
    id: changeId(deployment.id),
    order: status.id,
    status: meaning,
    at: status.createdAt,
    identity: 'instant',
    parents,
    vars: {
      ...{ adapter, repo, owner, name, environment, ref, task, sha, job },
      ...{ workflow: run?.name ?? '', run_url: url, run_number: runId, run_id: runId },
      tag: ref.startsWith(tagPrefix) ? ref.slice(tagPrefix.length) : '',
      actor: actorOf([run?.actor, deployment.creator, status.creator]),
      transient: deployment.transient ? 'true' : '',
      sha7: sha.slice(0, shortSha),
      id: String(deployment.id),
    },
    payload,
  };
}

/** The first who isn't a bot, or else the first. A bot creates the statuses of Actions. */
export function actorOf(candidates: readonly (Actor | undefined)[]): string {
  const known = candidates.filter((one) => one !== undefined);
  return (known.find(({ isBot }) => !isBot) ?? known[0])?.login ?? '';
}

/** Rules for the statuses of a deployment (fetcher §9.1, §9.3). */

const terminal: ReadonlySet<string> = new Set(['success', 'failure', 'error', 'inactive']);
const open: Readonly<Record<string, Status>> = {
  pending: 'pending',
  queued: 'queued',
  waiting: 'waiting',
  in_progress: 'in-progress',
};

/** Whether a state ends a deployment; an unknown one doesn't. */
export function isTerminal(state: string): boolean {
  return terminal.has(state);
}

/** Oldest first, by instant and id, whatever the order of the answer was. */
export function inOrder(statuses: readonly DeploymentStatus[]): DeploymentStatus[] {
  return statuses.toSorted(
    (one, other) => Date.parse(one.createdAt) - Date.parse(other.createdAt) || one.id - other.id,
  );
}

export function newestOf(statuses: readonly DeploymentStatus[]): DeploymentStatus | undefined {
  return inOrder(statuses).at(-1);
}

/** A status; `failed` if only the run shows how it failed; `nothing`; or `unknown`. */
export type Meaning = Status | 'failed' | 'nothing' | 'unknown';

/** The meanings of statuses that are in order. */
export function meaningsOf(statuses: readonly DeploymentStatus[]): { status: DeploymentStatus; meaning: Meaning }[] {
  let isOpen = false;
  return statuses.map((status) => {
    const meaning = meaningOf(status.state, isOpen);
    if (meaning !== 'unknown') isOpen = !isTerminal(status.state);
    return { status, meaning };
  });
}

function meaningOf(state: string, isOpen: boolean): Meaning {
  switch (state) {
    case 'success':
      return 'success';
    case 'failure':
    case 'error':
      return 'failed';
    case 'inactive':
      // Superseded while open: without this it would stay open forever. After its end it means nothing.
      return isOpen ? 'cancelled' : 'nothing';
    default:
      return (Object.hasOwn(open, state) && open[state]) || 'unknown';
  }
}

/** The run and job of Actions in the URLs of a status (fetcher §9.2). */
export interface Links {
  /** May be empty. */
  readonly url: string;
  /** The id of the run as written; may be empty. */
  readonly runId: string;
  readonly jobId: number | undefined;
}

/** Longer ids aren't exact as numbers. */
const digitsMax = 15;

export function linksOf({ logUrl, targetUrl }: Pick<DeploymentStatus, 'logUrl' | 'targetUrl'>): Links {
  const url = logUrl || targetUrl;
  const runId = /\/actions\/runs\/(\d+)/.exec(url)?.[1] ?? '';
  const job = /\/job\/(\d+)/.exec(logUrl)?.[1] ?? /\/job\/(\d+)/.exec(targetUrl)?.[1] ?? '';
  const hasJob = runId !== '' && job !== '' && job.length <= digitsMax;
  return { url, runId, jobId: hasJob ? Number(job) : undefined };
}

/** Whether a run with this id can be requested. */
export function isRunId(runId: string): boolean {
  return runId !== '' && runId.length <= digitsMax;
}
