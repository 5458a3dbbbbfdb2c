import type { Status } from '@shiplog/contract';
import type { Change } from '../../change.ts';
import type { Actor, Deployment, DeploymentStatus } from './api.ts';
import { linksOf } from './links.ts';

/** What makes a change of a status, as far as it is known (fetcher §9.2). */
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

/** The first who is no bot; where all are, the first of all. A bot makes the statuses of Actions. */
export function actorOf(candidates: readonly (Actor | undefined)[]): string {
  const known = candidates.filter((one) => one !== undefined);
  return (known.find(({ isBot }) => !isBot) ?? known[0])?.login ?? '';
}
