import { PlaceRefused, ToolAway } from '../../tool/refusals.ts';
import type { ToolHttp } from '../../tool/tool-http.ts';
import { type Deployment, type Project, pickDeployments } from './answers.ts';
import type { Made } from './pipeline.ts';

/** A deployment of a pipeline, a possible parent of others. */
export interface Sibling extends Made {
  readonly createdMs: number;
}

/** The known deployments of a project: all those created in a span of time, and some others. */
interface Known {
  readonly byPipeline: Map<number, Map<number, Sibling>>;
  sinceMs: number;
  untilMs: number;
  /** The page at which the span continues, in the list that starts with the newest. */
  page: number;
}

const pagesAtOnceMax = 50;

export interface HistoryPage {
  /** Newest first. */
  readonly deployments: readonly Deployment[];
  readonly more: boolean;
}

/**
 * The deployments of pipelines. GitLab can't list the deployments of one pipeline, so they are collected from all
 * responses; missing spans of time are requested (fetcher §15.7).
 */
export class Siblings {
  readonly #http: ToolHttp;
  readonly #known = new Map<number, Known>();

  constructor(http: ToolHttp) {
    this.#http = http;
  }

  note({ id: projectId }: Project, deployments: readonly Deployment[]): void {
    const { byPipeline } = this.#of(projectId);
    for (const { id, createdAt, job } of deployments) {
      if (!job?.pipeline) continue;
      const made = byPipeline.get(job.pipeline.id) ?? new Map<number, Sibling>();
      byPipeline.set(job.pipeline.id, made);
      made.set(id, { id, job: job.name, createdMs: Date.parse(createdAt) });
    }
  }

  /** Records that all deployments created from `fromMs` to `untilMs` are known. */
  covered({ id }: Project, fromMs: number, untilMs: number): void {
    const known = this.#of(id);
    if (fromMs > known.untilMs) Object.assign(known, { sinceMs: fromMs, page: 1 });
    known.sinceMs = Math.min(known.sinceMs, fromMs);
    known.untilMs = Math.max(known.untilMs, untilMs);
  }

  async page(project: Project, page: number, signal: AbortSignal): Promise<HistoryPage> {
    const known = this.#of(project.id);
    const askedMs = this.#http.settledNow();
    const path = `/api/v4/projects/${project.id}/deployments?order_by=created_at&sort=desc&per_page=100&page=${page}`;
    for await (const { body, more } of this.#http.pages(path, signal, pickDeployments)) {
      this.note(project, body);
      const last = body.at(-1);
      // Another deployment of the same instant may be on the next page.
      const reachesMs = more && last ? Date.parse(last.createdAt) + 1 : Number.NEGATIVE_INFINITY;
      if (page === 1) this.covered(project, reachesMs, askedMs);
      if (page === known.page) {
        known.sinceMs = Math.min(known.sinceMs, reachesMs);
        known.page += 1;
      }
      return { deployments: body, more };
    }
    return { deployments: [], more: false };
  }

  /**
   * The deployments of a pipeline in a span of time; `undefined` if GitLab doesn't answer.
   * @throws AuthFailed, SourcePaused
   */
  async of(
    project: Project,
    pipelineId: number,
    { fromMs, untilMs }: { readonly fromMs: number; readonly untilMs: number },
    signal: AbortSignal,
  ): Promise<Sibling[] | undefined> {
    const known = this.#of(project.id);
    // A span that reaches into the future can't be known completely.
    const neededMs = Math.min(untilMs, this.#http.settledNow());
    try {
      if (known.untilMs < neededMs) await this.page(project, 1, signal);
      for (let pages = 0; known.sinceMs > fromMs; pages += 1) {
        if (pages === pagesAtOnceMax) return undefined;
        await this.page(project, known.page, signal);
      }
    } catch (error) {
      if (error instanceof ToolAway || error instanceof PlaceRefused) return undefined;
      throw error;
    }
    const made = [...(known.byPipeline.get(pipelineId)?.values() ?? [])];
    return made.filter(({ createdMs }) => createdMs >= fromMs && createdMs <= untilMs);
  }

  forget({ id }: Project, beforeMs: number): void {
    const known = this.#of(id);
    known.sinceMs = Math.max(known.sinceMs, beforeMs);
    for (const [pipelineId, made] of known.byPipeline) {
      if ([...made.values()].every(({ createdMs }) => createdMs < beforeMs)) known.byPipeline.delete(pipelineId);
    }
  }

  #of(projectId: number): Known {
    const known = this.#known.get(projectId) ?? {
      byPipeline: new Map(),
      sinceMs: Number.POSITIVE_INFINITY,
      untilMs: Number.NEGATIVE_INFINITY,
      page: 1,
    };
    this.#known.set(projectId, known);
    return known;
  }
}
