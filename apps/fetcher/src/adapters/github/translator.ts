import { LRUCache } from 'lru-cache';
import type { Change } from '../../change.ts';
import { PlaceRefused, ToolAway } from '../../tool/refusals.ts';
import type { ToolHttp } from '../../tool/tool-http.ts';
import type { Deployment, DeploymentStatus } from './api.ts';
import { artifactOf } from './artifact.ts';
import { AskedRun, type Jobs } from './asked-run.ts';
import { changeOf, inOrder, isRunId, type Known, linksOf, meaningsOf } from './changes.ts';
import { parentsOf } from './parents.ts';
import { verdictOn } from './verdict.ts';

/** The result of inspecting a deployment. */
export interface Translation {
  /** Oldest first. */
  readonly changes: readonly Change[];
  /**
   * Whether a verdict is pending, at most 10 min. Its status and later ones are reported by a later poll, to keep their
   * order.
   */
  readonly held: boolean;
  /** Unknown states. */
  readonly unknown: readonly string[];
}

const runsMax = 200;

/** Converts GitHub's answers about deployments to changes (fetcher §9). Its caches only save requests. */
export class Translator {
  readonly #http: ToolHttp;
  readonly #adapter: string;
  readonly #runs = new LRUCache<string, AskedRun>({ max: runsMax });

  constructor(http: ToolHttp, { adapter }: { readonly adapter: string }) {
    this.#http = http;
    this.#adapter = adapter;
  }

  /**
   * @param repo `owner/name`, as GitHub spells it
   * @param statuses all that are known of it, in any order
   * @throws what `ToolHttp` throws; but what is inaccessible counts as absent, and so do parents if a request fails
   */
  async changesOf(
    repo: string,
    deployment: Deployment,
    statuses: readonly DeploymentStatus[],
    signal: AbortSignal,
  ): Promise<Translation> {
    const ordered = inOrder(statuses);
    for (const run of new Set(ordered.map((status) => this.#runOf(repo, linksOf(status).runId))))
      run?.remember(deployment, statuses);
    const changes: Change[] = [];
    const unknown: string[] = [];
    for (const { status, meaning } of meaningsOf(ordered)) {
      if (meaning === 'unknown') unknown.push(status.state);
      if (meaning === 'unknown' || meaning === 'nothing') continue;
      const asked = this.#runOf(repo, linksOf(status).runId);
      const nowMs = this.#http.now();
      const told = meaning === 'failed' ? await verdictOn({ asked, deployment, status, nowMs }, signal) : meaning;
      if (told === undefined) return { changes, held: true, unknown };
      const about = asked && (await this.#about(asked, { deployment, status }, signal));
      const nothing = { run: undefined, job: '', parents: [] };
      changes.push(
        changeOf({ adapter: this.#adapter, repo, deployment, status, meaning: told, ...(about ?? nothing) }),
      );
    }
    return { changes, held: false, unknown };
  }

  /**
   * The trimmed text of an artifact of the change's run; empty if it can't be read.
   * @throws what `ToolHttp` throws; after three failures it is empty
   */
  async artifact({ vars }: Change, name: string, signal: AbortSignal): Promise<string> {
    const { repo = '', run_id: runId = '' } = vars;
    const asked = this.#runOf(repo, runId);
    if (!asked) return '';
    const wanted = { repoPath: pathOf(repo), runPath: asked.path(), name, texts: asked.texts };
    const ask = () => artifactOf(this.#http, wanted, signal);
    return (await asked.patience.bear(`artifact ${name}`, ask)) ?? '';
  }

  /** Forgets everything. */
  forget(): void {
    this.#runs.clear();
  }

  #runOf(repo: string, runId: string): AskedRun | undefined {
    if (!isRunId(runId)) return undefined;
    const key = `${repo} ${runId}`;
    const run = this.#runs.get(key) ?? new AskedRun(this.#http, pathOf(repo), runId);
    this.#runs.set(key, run);
    return run;
  }

  /** What the run of a status adds to its change. */
  async #about(asked: AskedRun, told: Told, signal: AbortSignal): Promise<Pick<Known, 'run' | 'job' | 'parents'>> {
    const first = await asked.run(signal);
    if (!first) return { run: undefined, job: '', parents: [] };
    // Finding the parents loads the jobs, including this one, which may be of a later attempt than the cached run.
    const parents = await this.#parents(asked, told, signal);
    const job = asked.job(linksOf(told.status).jobId);
    const run = job ? await asked.run(signal, { is: ({ attempt }) => attempt >= job.attempt }) : first;
    return { run, job: job?.name ?? '', parents };
  }

  async #parents(asked: AskedRun, told: Told, signal: AbortSignal): Promise<readonly string[]> {
    const key = `${told.deployment.id} ${linksOf(told.status).jobId ?? ''}`;
    const known = asked.parents.get(key);
    if (known) return known;
    try {
      const parents = await askedParents(asked, told, signal);
      asked.parents.set(key, parents);
      return parents;
    } catch (error) {
      if (error instanceof PlaceRefused || error instanceof ToolAway) return [];
      throw error;
    }
  }
}

interface Told {
  readonly deployment: Deployment;
  readonly status: DeploymentStatus;
}

/** @throws what `ToolHttp` throws */
async function askedParents(
  asked: AskedRun,
  { deployment: { id, environment, sha }, status }: Told,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const run = await asked.run(signal);
  if (!run) return [];
  const { jobId } = linksOf(status);
  // A job's needs have ended when it begins: earlier answers, or answers with unfinished jobs, aren't enough.
  const isOver = (jobs: Jobs) => [...jobs.values()].every(({ isCompleted }) => isCompleted);
  const jobs = await asked.jobs(signal, {
    sinceMs: Date.parse(status.createdAt),
    is: (known) => (jobId === undefined || known.has(jobId)) && isOver(known),
  });
  const workflow = await asked.workflow(run, signal);
  const ask = (wanted: string | undefined) => asked.askRelatives(run, { sha, environment: wanted }, signal);
  return parentsOf({ id, environment, jobId }, { workflow, jobs, relatives: () => asked.relatives, ask });
}

function pathOf(repo: string): string {
  return `/repos/${repo.split('/').map(encodeURIComponent).join('/')}`;
}
