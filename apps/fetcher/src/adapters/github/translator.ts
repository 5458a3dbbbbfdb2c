import type { Status } from '@shiplog/contract';
import { LRUCache } from 'lru-cache';
import type { Change } from '../../change.ts';
import { PlaceRefused, ToolAway } from '../../tool/refusals.ts';
import type { ToolHttp } from '../../tool/tool-http.ts';
import { type Actor, type Deployment, type DeploymentStatus, isExact } from './api.ts';
import { changeId, parentsOf } from './parents.ts';
import { repositoryPath } from './repository.ts';
import { endOf, type Jobs, RunReader } from './run-reader.ts';

export interface Translation {
  /** Oldest first. */
  readonly changes: readonly Change[];
  /** Whether a verdict is pending. A later poll reports its status and later ones, in order. */
  readonly held: boolean;
  readonly unknown: readonly string[];
}

const runsMax = 200;

/** Converts GitHub's responses about deployments to changes (fetcher §9). Its caches only save requests. */
export class Translator {
  readonly #http: ToolHttp;
  readonly #adapter: string;
  readonly #runs = new LRUCache<string, RunReader>({ max: runsMax });

  constructor(http: ToolHttp, { adapter }: { readonly adapter: string }) {
    this.#http = http;
    this.#adapter = adapter;
  }

  /**
   * @param repo `owner/name`, as GitHub spells it @param statuses all known statuses of the deployment, in any order
   * @throws what `ToolHttp` throws, except that inaccessible parts count as absent, and so do parents if a request
   * fails
   */
  async changesOf(
    repo: string,
    deployment: Deployment,
    statuses: readonly DeploymentStatus[],
    signal: AbortSignal,
  ): Promise<Translation> {
    const ordered = inOrder(statuses);
    for (const run of new Set(ordered.map((status) => this.#runOf(repo, status.runId))))
      run?.remember(deployment, statuses);
    const changes: Change[] = [];
    const unknown: string[] = [];
    for (const { status, meaning } of meaningsOf(ordered)) {
      if (meaning === 'unknown') unknown.push(status.state);
      if (meaning === 'unknown' || meaning === 'nothing') continue;
      const reader = this.#runOf(repo, status.runId);
      const outcome = meaning === 'failed' ? await verdictOn(reader, deployment, status, signal) : meaning;
      if (outcome === undefined) return { changes, held: true, unknown };
      const about = reader && (await this.#about(reader, { deployment, status }, signal));
      const nothing = { run: undefined, job: '', parents: [] };
      changes.push(
        changeOf({ adapter: this.#adapter, repo, deployment, status, meaning: outcome, ...(about ?? nothing) }),
      );
    }
    return { changes, held: false, unknown };
  }

  /** @throws what `ToolHttp` throws */
  async artifact({ vars: { repo = '', run_id: runId = '' } }: Change, name: string, signal: AbortSignal) {
    return (await this.#runOf(repo, runId)?.artifact(name, signal)) ?? '';
  }

  #runOf(repo: string, runId: string): RunReader | undefined {
    if (!isExact(runId)) return undefined;
    const key = `${repo} ${runId}`;
    const run = this.#runs.get(key) ?? new RunReader(this.#http, repositoryPath(repo), runId);
    this.#runs.set(key, run);
    return run;
  }

  async #about(
    reader: RunReader,
    input: Reported,
    signal: AbortSignal,
  ): Promise<Pick<ChangeInput, 'run' | 'job' | 'parents'>> {
    const first = await reader.run(signal);
    if (!first) return { run: undefined, job: '', parents: [] };
    // Finding the parents loads the jobs, including this one, which may be of a later attempt than the cached run.
    const parents = await this.#parents(reader, input, signal);
    const job = reader.job(input.status.jobId);
    const run = job ? await reader.run(signal, { is: ({ attempt }) => attempt >= job.attempt }) : first;
    return { run, job: job?.name ?? '', parents };
  }

  async #parents(reader: RunReader, input: Reported, signal: AbortSignal): Promise<readonly string[]> {
    const key = `${input.deployment.id} ${input.status.jobId ?? ''}`;
    const known = reader.parents.get(key);
    if (known) return known;
    try {
      const parents = await requestedParents(reader, input, signal);
      reader.parents.set(key, parents);
      return parents;
    } catch (error) {
      if (error instanceof PlaceRefused || error instanceof ToolAway) return [];
      throw error;
    }
  }
}

/** Outside Actions only a delivery may say how a deployment failed. */
async function verdictOn(
  reader: RunReader | undefined,
  deployment: Deployment,
  status: DeploymentStatus,
  signal: AbortSignal,
): Promise<Status | undefined> {
  return reader ? reader.verdict(deployment, status, signal) : endOf(status.jobConclusion ?? '');
}

type Reported = Pick<ChangeInput, 'deployment' | 'status'>;

async function requestedParents(
  reader: RunReader,
  { deployment: { id, environment, sha }, status }: Reported,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const run = await reader.run(signal);
  if (!run) return [];
  const { jobId } = status;
  // The needs of a job have ended when it begins, so a response that is older or has unfinished jobs isn't enough.
  const isOver = (jobs: Jobs) => [...jobs.values()].every(({ isCompleted }) => isCompleted);
  const jobs = await reader.jobs(signal, {
    sinceMs: Date.parse(status.createdAt),
    is: (known) => (jobId === undefined || known.has(jobId)) && isOver(known),
  });
  const workflow = await reader.workflow(run, signal);
  const ask = (target: string | undefined) => reader.readRelatives(run, { sha, environment: target }, signal);
  return parentsOf({ id, environment, jobId }, { workflow, jobs, relatives: () => reader.relatives, ask });
}

/** The known input for a change (fetcher §9.2). */
export interface ChangeInput {
  readonly adapter: string;
  readonly repo: string;
  readonly deployment: Deployment;
  readonly status: DeploymentStatus;
  readonly meaning: Status;
  /** The name of the run's workflow, and who started it. */
  readonly run?: { readonly name: string; readonly actor: Actor | undefined } | undefined;
  /** The name of the job; empty if it isn't known. */
  readonly job: string;
  readonly parents: readonly string[];
}

const shortSha = 7;
const tagPrefix = 'refs/tags/';

export function changeOf({ adapter, repo, deployment, status, meaning, run, job, parents }: ChangeInput): Change {
  const { url, runId } = status;
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

/** The first candidate that isn't a bot, or else the first candidate. A bot creates the statuses of Actions. */
export function actorOf(candidates: readonly (Actor | undefined)[]): string {
  const known = candidates.filter((one) => one !== undefined);
  return (known.find(({ isBot }) => !isBot) ?? known[0])?.login ?? '';
}

const terminal: ReadonlySet<string> = new Set(['success', 'failure', 'error', 'inactive']);
const open: Readonly<Record<string, Status>> = {
  pending: 'pending',
  queued: 'queued',
  waiting: 'waiting',
  in_progress: 'in-progress',
};

export function isTerminal(state: string): boolean {
  return terminal.has(state);
}

/** Oldest first, by instant and id, whatever the order of the response. */
export function inOrder(statuses: readonly DeploymentStatus[]): DeploymentStatus[] {
  return statuses.toSorted(
    (one, other) => Date.parse(one.createdAt) - Date.parse(other.createdAt) || one.id - other.id,
  );
}

export function newestOf(statuses: readonly DeploymentStatus[]): DeploymentStatus | undefined {
  return inOrder(statuses).at(-1);
}

/** A status; `failed` if only the run shows how the deployment failed; `nothing`; or `unknown`. */
export type Meaning = Status | 'failed' | 'nothing' | 'unknown';

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
      // The deployment was superseded while open, and would otherwise stay open forever. After its end this has no
      // meaning.
      return isOpen ? 'cancelled' : 'nothing';
    default:
      return (Object.hasOwn(open, state) && open[state]) || 'unknown';
  }
}
