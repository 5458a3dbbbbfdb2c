import type { Step } from '../../adapter.ts';
import type { ToolHttp } from '../../tool/tool-http.ts';
import { type Deployment, type Project, pickDeployments } from './answers.ts';
import type { Journal } from './journal.ts';
import { type Memory, writeMemory } from './memory.ts';
import type { Siblings } from './siblings.ts';

export interface LiveOptions {
  readonly http: ToolHttp;
  readonly siblings: Siblings;
  readonly journal: Journal;
}

export interface Outcome {
  readonly isWhole: boolean;
  readonly hasNews: boolean;
}

/** GitLab shows changes late, so lists overlap by this time. */
const overlapMs = 60_000;
const deploymentsAtOnce = 20;

/** Polls the deployments of a project that were updated since its mark (fetcher §10.1). */
export class Live {
  readonly #options: LiveOptions;

  constructor(options: LiveOptions) {
    this.#options = options;
  }

  async *look(project: Project, memory: Memory, signal: AbortSignal): AsyncGenerator<Step, Outcome, undefined> {
    const { http, siblings } = this.#options;
    const fromMs = Math.max(0, (memory.marks.get(project.id) ?? memory.outstandingMs) - overlapMs);
    let hasNews = false;
    let nextMs: number | undefined = fromMs;
    while (nextMs !== undefined) {
      const afterMs: number = nextMs;
      nextMs = undefined;
      const askedMs = http.settledNow();
      for await (const { body, more } of http.pages(listOf(project, afterMs), signal, pickDeployments)) {
        siblings.note(project, body);
        if (!more) siblings.covered(project, fromMs, askedMs);
        hasNews = (yield* this.#settled(project, memory, body, signal)) || hasNews;
        const lastMs = lastOf(body);
        if (!more || lastMs === undefined) break;
        if (!http.hasTurn) return { isWhole: false, hasNews };
        // Page offsets shift while deployments are updated; asking by time misses nothing.
        if (lastMs > afterMs) {
          nextMs = lastMs;
          break;
        }
      }
    }
    return { isWhole: true, hasNews };
  }

  /** Yields a page in steps; returns whether there were changes. */
  async *#settled(
    project: Project,
    memory: Memory,
    deployments: readonly Deployment[],
    signal: AbortSignal,
  ): AsyncGenerator<Step, boolean, undefined> {
    const { http, journal } = this.#options;
    let hasNews = false;
    for (let from = 0; from < deployments.length; from += deploymentsAtOnce) {
      const some = deployments.slice(from, from + deploymentsAtOnce);
      const changes = await journal.changesOf(project, journal.entriesOf(some), memory.startMs, signal);
      // Deployments dated in the future must not hide others.
      const markMs = Math.min(lastOf(some) ?? 0, http.settledNow());
      memory.marks.set(project.id, Math.max(markMs, memory.marks.get(project.id) ?? 0));
      yield { changes, memory: writeMemory(memory) };
      journal.settle(some);
      hasNews ||= changes.length > 0;
    }
    return hasNews;
  }
}

function listOf({ id }: Project, afterMs: number): string {
  const after = new Date(afterMs).toISOString();
  return `/api/v4/projects/${id}/deployments?order_by=updated_at&sort=asc&updated_after=${after}&per_page=100`;
}

function lastOf(deployments: readonly Deployment[]): number | undefined {
  const last = deployments.at(-1);
  return last && Date.parse(last.updatedAt);
}
