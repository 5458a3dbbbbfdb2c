import { LRUCache } from 'lru-cache';
import type { Change, Variables } from '../../change.ts';
import { PlaceRefused, ToolAway } from '../../tool/refusals.ts';
import type { ToolHttp } from '../../tool/tool-http.ts';
import { type Deployment, type Pipeline, type Project, pickFailureReason } from './answers.ts';
import { jobsQuery, type PipelineGraph, parentsIn, pickJobsPage } from './pipeline.ts';
import type { Siblings } from './siblings.ts';
import { type Proof, verdictOf } from './statuses.ts';

const graphsMax = 200;
const jobsMax = 20_000;
/** After this many errors the reason counts as unknown, so that the job doesn't delay others. */
const missesMax = 3;
/** The assumed age of a pipeline without a creation time; approvals end after 30 days. */
const pipelineAgeMs = 30 * 24 * 3_600_000;
const jobPagesMax = 20;

/** Converts GitLab's responses about deployments to changes, and requests missing data (fetcher §10). */
export class Translator {
  readonly #http: ToolHttp;
  readonly #siblings: Siblings;
  /** The jobs of each pipeline; null if GitLab doesn't show them. */
  readonly #graphs = new LRUCache<number, { readonly graph: PipelineGraph | null }>({ max: graphsMax });
  readonly #failureReasons = new LRUCache<number, string>({ max: jobsMax });
  readonly #misses = new LRUCache<number, number>({ max: jobsMax });

  constructor(http: ToolHttp, siblings: Siblings) {
    this.#http = http;
    this.#siblings = siblings;
  }

  async changesOf(
    project: Project,
    deployment: Deployment,
    proofs: readonly Proof[],
    signal: AbortSignal,
  ): Promise<Change[]> {
    if (proofs.length === 0) return [];
    const { id, job, createdAt } = deployment;
    const vars = variablesOf(project, deployment);
    const parents = await this.#parentsOf(project, deployment, signal);
    const changes: Change[] = [];
    for (const { status, at } of proofs) {
      const isFailure = status === 'failure' && job !== undefined;
      const isOfStart = job?.startedAt !== undefined && status !== 'pending' && status !== 'waiting';
      changes.push({
        id: deploymentIdOf(id),
        order: orderOf(id, status),
        status: isFailure ? verdictOf(await this.failureReasonOf(project, job.id, signal)) : status,
        at,
        identity: 'status',
        parents: parents(Date.parse(isOfStart ? job.startedAt : createdAt)),
        vars,
      });
    }
    return changes;
  }

  /** @throws ToolAway for the first requests that GitLab doesn't answer */
  async failureReasonOf(project: Project, jobId: number, signal: AbortSignal): Promise<string> {
    const known = this.#failureReasons.get(jobId);
    if (known !== undefined) return known;
    const reason = await this.#requestReason(project, jobId, signal);
    this.#failureReasons.set(jobId, reason);
    return reason;
  }

  async #requestReason({ id }: Project, jobId: number, signal: AbortSignal): Promise<string> {
    try {
      return (await this.#http.get(`/api/v4/projects/${id}/jobs/${jobId}`, signal, pickFailureReason)).body;
    } catch (error) {
      if (error instanceof PlaceRefused) return '';
      if (!(error instanceof ToolAway)) throw error;
      const misses = (this.#misses.get(jobId) ?? 0) + 1;
      this.#misses.set(jobId, misses);
      if (misses < missesMax) throw error;
      return '';
    }
  }

  /**
   * The parents of a deployment at an instant. Ignores later deployments, so that the time of the call doesn't matter.
   */
  async #parentsOf(project: Project, { id, createdAt, job }: Deployment, signal: AbortSignal) {
    const none = () => [];
    if (!job?.pipeline) return none;
    const { pipeline, name, startedAt } = job;
    const createdMs = Date.parse(createdAt);
    const fromMs = pipeline.createdAt === undefined ? createdMs - pipelineAgeMs : Date.parse(pipeline.createdAt);
    const span = { fromMs, untilMs: Math.max(createdMs, Date.parse(startedAt ?? createdAt)) };
    const siblings = await this.#siblings.of(project, pipeline.id, span, signal);
    const others = siblings?.filter((one) => one.job !== name) ?? [];
    if (others.length === 0) return none;
    const graph = await this.#graphOf(project, pipeline, signal);
    if (!graph) return none;
    return (asOfMs: number) => {
      const made = others.filter((one) => one.id < id || (asOfMs > createdMs && one.createdMs <= asOfMs));
      return parentsIn(graph, name, made).map(deploymentIdOf);
    };
  }

  async #graphOf(project: Project, { id, iid }: Pipeline, signal: AbortSignal): Promise<PipelineGraph | null> {
    const known = this.#graphs.get(id);
    if (known) return known.graph;
    if (iid === undefined) return null;
    try {
      const graph = await this.#requestGraph(project, iid, signal);
      this.#graphs.set(id, { graph });
      return graph;
    } catch (error) {
      if (error instanceof PlaceRefused) this.#graphs.set(id, { graph: null });
      else if (!(error instanceof ToolAway)) throw error;
      return null;
    }
  }

  async #requestGraph({ path }: Project, iid: number, signal: AbortSignal): Promise<PipelineGraph | null> {
    const jobs: PipelineGraph['jobs'][] = [];
    let after: string | undefined;
    for (;;) {
      const page = await this.#http.post('/api/graphql', jobsQuery(path, iid, after), signal, pickJobsPage);
      if (!page) return null;
      jobs.push(page.jobs);
      after = page.after;
      if (after === undefined) return { stages: page.stages, jobs: new Map(jobs.flatMap((one) => [...one])) };
      if (jobs.length === jobPagesMax) throw new ToolAway(`Pipeline ${iid} of ${path} has too many jobs.`);
    }
  }
}

export function deploymentIdOf(id: number): string {
  return `gl-deploy-${id}`;
}

/** Orders changes at the same instant: older deployments first, and the end of a deployment last. */
export function orderOf(id: number, status: Proof['status']): number {
  const turns: Readonly<Partial<Record<Proof['status'], number>>> = { pending: 0, waiting: 1, 'in-progress': 2 };
  return id * 4 + (turns[status] ?? 3);
}

export function variablesOf({ path }: Project, deployment: Deployment): Variables {
  const { id, environment, ref, sha, actor, job } = deployment;
  const pipelineId = job?.pipeline === undefined ? '' : String(job.pipeline.id);
  return {
    adapter: 'gitlab',
    ...pathVariables(path),
    job: job?.name ?? '',
    environment,
    ref,
    tag: job?.isTag ? ref : '',
    actor,
    sha,
    sha7: sha.slice(0, 7),
    id: String(id),
    run_id: pipelineId,
    run_number: pipelineId,
    run_url: job?.webUrl ?? '',
    version: sha.slice(0, 8),
  };
}

function pathVariables(path: string) {
  const slash = path.lastIndexOf('/');
  return { repo: path, owner: path.slice(0, Math.max(0, slash)), name: path.slice(slash + 1) };
}
