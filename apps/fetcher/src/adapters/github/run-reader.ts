import type { Status } from '@shiplog/contract';
import { type UnzipFileInfo, unzipSync } from 'fflate';
import { PlaceRefused, ToolAway } from '../../tool/refusals.ts';
import { ShapeFault } from '../../tool/shape.ts';
import type { ToolHttp } from '../../tool/tool-http.ts';
import {
  type Approval,
  type Deployment,
  type DeploymentStatus,
  type Job,
  type ListedArtifact,
  pickApprovals,
  pickArtifacts,
  pickContents,
  pickDeployments,
  pickJobs,
  pickRun,
  pickStatuses,
  type Run,
} from './api.ts';
import type { Relative } from './parents.ts';
import { type WorkflowJob, workflowJobs } from './workflow.ts';

export type Jobs = ReadonlyMap<number, Job>;

interface Enough<Body> {
  /** The response must be newer than this instant of the tool's clock. */
  readonly sinceMs?: number;
  is(body: Body): boolean;
}

const triesMax = 3;
const pendingMaxMs = 10 * 60_000;
const zipBytesMax = 1024 * 1024;
const textBytesMax = 64 * 1024;
/** Deflated data may be this much longer than the original. */
const deflatedExtra = 1024;

/** A body and the time of its request, by the tool's clock. */
interface Given<Body> {
  readonly body: Body;
  readonly atMs: number;
}

/**
 * The known data of a run of Actions. If a cached response isn't enough, parts that may have changed are requested
 * again; all other parts are requested only once. Parts that can't be read count as absent.
 */
export class RunReader {
  /** Final parents, by deployment and job. */
  readonly parents = new Map<string, readonly string[]>();
  readonly #verdicts = new Map<number, Status>();
  readonly #artifactTexts = new Map<number, string>();
  /** The number of failures, by part. */
  readonly #failures = new Map<string, number>();
  readonly #http: ToolHttp;
  readonly #repoPath: string;
  readonly #id: string;
  /** `null` if it isn't accessible with this token. */
  #run: Given<Run> | null | undefined;
  #jobs: Given<Jobs> | undefined;
  #workflow: readonly WorkflowJob[] | undefined;
  readonly #relatives = new Map<number, { readonly environment: string; readonly jobs: Set<number> }>();
  readonly #strangers = new Set<number>();

  constructor(http: ToolHttp, repoPath: string, id: string) {
    this.#http = http;
    this.#repoPath = repoPath;
    this.#id = id;
  }

  async run(signal: AbortSignal, enough: Enough<Run> = { is: () => true }): Promise<Run | undefined> {
    if (this.#run === null || isEnough(this.#run, enough)) return this.#run?.body;
    const atMs = this.#http.now();
    const found = await this.#bear('run', () => this.#http.get(this.#path(), signal, pickRun));
    this.#run = found ? { body: found.body, atMs } : (this.#run ?? null);
    return this.#run?.body;
  }

  /** A job, if it is cached. */
  job(id: number | undefined): Job | undefined {
    return id === undefined ? undefined : this.#jobs?.body.get(id);
  }

  async jobs(signal: AbortSignal, enough: Enough<Jobs>): Promise<Jobs> {
    if (this.#jobs && isEnough(this.#jobs, enough)) return this.#jobs.body;
    const atMs = this.#http.now();
    const body = new Map<number, Job>();
    for await (const page of this.#http.pages(this.#path('/jobs?filter=all&per_page=100'), signal, pickJobs))
      for (const job of page.body) body.set(job.id, job);
    this.#jobs = { body, atMs };
    return body;
  }

  /**
   * Returns how a deployment failed: rejected, cancelled, or failure (fetcher §9.3). `undefined` for at most 10 min
   * while neither its job nor its run has concluded.
   */
  async verdict(deployment: Deployment, status: DeploymentStatus, signal: AbortSignal): Promise<Status | undefined> {
    const known = this.#verdicts.get(status.id);
    if (known) return known;
    const verdict = (await this.#isRejected(deployment, signal)) ? 'rejected' : await this.#outcome(status, signal);
    if (verdict) this.#verdicts.set(status.id, verdict);
    return verdict;
  }

  /**
   * The trimmed text of the only file in the newest artifact with a name; empty without such an artifact (fetcher
   * §9.2), or after three failures. @throws what `ToolHttp` throws
   */
  async artifact(name: string, signal: AbortSignal): Promise<string> {
    const ask = async () => {
      const found: ListedArtifact[] = [];
      for await (const { body } of this.#http.pages(this.#path('/artifacts?per_page=100'), signal, pickArtifacts))
        found.push(...body.filter((one) => one.name === name && !one.expired));
      const [newest] = found.toSorted((one, other) => other.id - one.id);
      return newest ? this.#artifactText(newest.id, signal) : '';
    };
    return (await this.#bear(`artifact ${name}`, ask)) ?? '';
  }

  /** The jobs of its workflow file; none if it can't be read. @throws ToolAway */
  async workflow(run: Run, signal: AbortSignal): Promise<readonly WorkflowJob[]> {
    this.#workflow ??= await workflowJobs(pathWithoutRef(run.path), (path) => this.#file(path, run, signal)).catch(
      (error: unknown) => {
        if (error instanceof ShapeFault) return [];
        throw error;
      },
    );
    return this.#workflow;
  }

  get relatives(): Relative[] {
    return [...this.#relatives].map(([id, { environment, jobs }]) => ({ id, environment, jobs }));
  }

  /** Records whether a deployment belongs to this run, and its jobs; ignored for statuses without a run. */
  remember({ id, environment }: Deployment, statuses: readonly DeploymentStatus[]): void {
    const linked = statuses.filter(({ runId }) => runId !== '');
    const own = linked.filter(({ runId }) => runId === this.#id);
    if (own.length === 0) {
      if (linked.length > 0) this.#strangers.add(id);
      return;
    }
    const jobs = this.#relatives.get(id)?.jobs ?? new Set();
    for (const { jobId } of own) if (jobId !== undefined) jobs.add(jobId);
    this.#relatives.set(id, { environment, jobs });
  }

  /** Reads all deployments of this run, by its commit and optionally an environment. @throws what `ToolHttp` throws */
  async readRelatives(run: Run, of: { sha: string; environment: string | undefined }, signal: AbortSignal) {
    const environment = of.environment === undefined ? '' : `&environment=${encodeURIComponent(of.environment)}`;
    const path = `${this.#repoPath}/deployments?sha=${encodeURIComponent(of.sha)}${environment}&per_page=100`;
    for await (const { body } of this.#http.pages(path, signal, pickDeployments)) {
      const young = body.filter(({ createdAt }) => Date.parse(createdAt) >= Date.parse(run.createdAt));
      for (const deployment of young) {
        if (this.#relatives.has(deployment.id) || this.#strangers.has(deployment.id)) continue;
        const statusesPath = `${this.#repoPath}/deployments/${deployment.id}/statuses?per_page=100`;
        this.remember(deployment, (await this.#http.get(statusesPath, signal, pickStatuses)).body);
      }
      // The list is newest first, and older deployments can't belong to the run.
      if (young.length === 0) return;
    }
  }

  async #isRejected({ environment }: Deployment, signal: AbortSignal): Promise<boolean> {
    const ask = () => this.#http.get(this.#path('/approvals'), signal, pickApprovals);
    const approvals: readonly Approval[] = (await this.#bear('approvals', ask))?.body ?? [];
    const isSame = (one: string) => one.toLowerCase() === environment.toLowerCase();
    return approvals.some(({ state, environments }) => state === 'rejected' && environments.some(isSame));
  }

  async #outcome(status: DeploymentStatus, signal: AbortSignal): Promise<Status | undefined> {
    const conclusion = await this.#conclusion(status, signal);
    const isPending = conclusion === '' && this.#http.now() - Date.parse(status.createdAt) < pendingMaxMs;
    return isPending ? undefined : endOf(conclusion ?? '');
  }

  /** The conclusion of the job or else of the run: empty if neither has one, `undefined` if neither can be read. */
  async #conclusion({ jobConclusion, jobId, createdAt }: DeploymentStatus, signal: AbortSignal) {
    if (jobConclusion) return jobConclusion;
    const sinceMs = Date.parse(createdAt);
    if (jobId !== undefined) {
      const is = (jobs: Jobs) => Boolean(jobs.get(jobId)?.conclusion);
      await this.#bear('jobs', () => this.jobs(signal, { sinceMs, is }));
    }
    const job = this.job(jobId);
    if (job?.conclusion) return job.conclusion;
    const run = await this.run(signal, { sinceMs, is: ({ conclusion }) => conclusion !== '' });
    return run?.conclusion ?? job?.conclusion;
  }

  /** Cached by id, because the content of an artifact never changes. */
  async #artifactText(id: number, signal: AbortSignal): Promise<string> {
    const path = `${this.#repoPath}/actions/artifacts/${id}/zip`;
    const text = this.#artifactTexts.get(id) ?? textOfZip(await this.#http.bytes(path, signal, zipBytesMax));
    this.#artifactTexts.set(id, text);
    return text;
  }

  /**
   * An inaccessible part counts as absent. A failing part is retried later, up to three times; otherwise a run that
   * GitHub can't show would block its repository forever. @throws ToolAway the first two times
   */
  async #bear<Body>(part: string, ask: () => Promise<Body>): Promise<Body | undefined> {
    try {
      return await ask();
    } catch (error) {
      if (error instanceof PlaceRefused) return undefined;
      if (!(error instanceof ToolAway)) throw error;
      const failures = (this.#failures.get(part) ?? 0) + 1;
      this.#failures.set(part, failures);
      if (failures < triesMax) throw error;
      return undefined;
    }
  }

  #path(below = ''): string {
    return `${this.#repoPath}/actions/runs/${this.#id}${below}`;
  }

  async #file(path: string, { headSha }: Run, signal: AbortSignal): Promise<string | undefined> {
    const address = `${this.#repoPath}/contents/${path}?ref=${encodeURIComponent(headSha)}`;
    try {
      return (await this.#http.get(address, signal, pickContents)).body;
    } catch (error) {
      if (error instanceof PlaceRefused) return undefined;
      throw error;
    }
  }
}

function pathWithoutRef(path: string): string {
  return path.split('@')[0] ?? '';
}

function isEnough<Body>(given: Given<Body> | undefined, { sinceMs, is }: Enough<Body>): boolean {
  return given !== undefined && is(given.body) && (sinceMs === undefined || given.atMs > sinceMs);
}

export function endOf(conclusion: string): Status {
  return conclusion === 'cancelled' ? 'cancelled' : 'failure';
}

/** The trimmed text of the only file in a zip, at most 64 KiB of UTF-8; empty for anything else. */
export function textOfZip(bytes: Uint8Array): string {
  try {
    const listed: UnzipFileInfo[] = [];
    unzipSync(bytes, { filter: (file) => !file.name.endsWith('/') && listed.push(file) < 0 });
    const [only, ...others] = listed;
    // The declared size limits the memory, and the deflated size limits the time.
    if (!only || others.length > 0 || only.originalSize > textBytesMax) return '';
    if (only.size > only.originalSize + deflatedExtra) return '';
    const [content] = Object.values(unzipSync(bytes, { filter: ({ name }) => name === only.name }));
    return new TextDecoder('utf-8', { fatal: true }).decode(content).trim();
  } catch {
    return '';
  }
}
