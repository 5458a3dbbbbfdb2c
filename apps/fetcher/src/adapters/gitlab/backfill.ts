import type { Step } from '../../adapter.ts';
import type { PlaceFailures } from '../../tool/place-failures.ts';
import type { Rounds } from '../../tool/rounds.ts';
import type { ToolHttp } from '../../tool/tool-http.ts';
import type { Project } from './answers.ts';
import type { Entry, Journal } from './journal.ts';
import { type Backfilling, type Memory, writeMemory } from './memory.ts';
import type { Siblings } from './siblings.ts';

export interface BackfillOptions {
  readonly http: ToolHttp;
  readonly rounds: Rounds;
  readonly failures: PlaceFailures;
  readonly siblings: Siblings;
  readonly journal: Journal;
  /** The newest changes of an environment that are taken; 0: all. */
  readonly depth: number;
}

/** A run over some projects, which changes its own copy of the memory. */
export interface BackfillRun {
  readonly memory: Memory;
  /** By id. */
  readonly projects: readonly Project[];
  readonly signal: AbortSignal;
}

/** How many changes of each environment stand on the pages before a page. Without it a project begins anew. */
interface Counts {
  readonly page: number;
  readonly taken: ReadonlyMap<string, number>;
}

interface Taken {
  readonly step: () => Step;
  /** When the changes of the step are settled. */
  readonly settle: () => void;
  /** Whether older ones within the horizon may follow. */
  readonly more: boolean;
}

/**
 * The past of projects down to a horizon (fetcher §8): the newest deployment of each environment of all of them, then all
 * others page by page, the projects in turn.
 */
export class Backfill {
  readonly #options: BackfillOptions;
  /** By project. */
  readonly #counts = new Map<number, Counts>();

  constructor(options: BackfillOptions) {
    this.#options = options;
  }

  async *run(run: BackfillRun): AsyncGenerator<Step, void, undefined> {
    const { memory, projects } = run;
    for (let at = memory.backfill; at; at = memory.backfill) {
      const { sweptTo } = at;
      const project = projects.find(({ id }) => id > sweptTo);
      if (project && !this.#options.http.hasSpare) return;
      if (project) yield* this.#sweep(run, at, project);
      else if (at.pass === 1) Object.assign(at, { pass: 2, sweptTo: 0 });
      else if (!(yield* this.#turn(run, at))) return;
    }
  }

  /** Those whose backfill goes on, without those that the tool refuses. */
  left({ pass, sweptTo, pages }: Backfilling, projects: readonly Project[]): number {
    const refused = new Set(this.#options.rounds.refusedNames);
    const isLeft = ({ id }: Project) => pass === 1 || id > sweptTo || pages.has(id);
    return projects.filter((project) => isLeft(project) && !refused.has(project.path)).length;
  }

  async *#sweep(run: BackfillRun, at: Backfilling, project: Project): AsyncGenerator<Step, void, undefined> {
    const taken = await this.#take(run, at, project, 1);
    at.sweptTo = project.id;
    if (at.pass === 2 && (!taken || taken.more)) at.pages.set(project.id, taken ? 2 : 1);
    yield* this.#settled(taken);
  }

  /** The next page of each project; false where none could be had. */
  async *#turn(run: BackfillRun, at: Backfilling): AsyncGenerator<Step, boolean, undefined> {
    const { memory, projects } = run;
    let isGoingOn = false;
    for (const [id, reached] of [...at.pages]) {
      const project = projects.find((one) => one.id === id);
      if (project && !this.#options.http.hasSpare) return false;
      const page = this.#pageOf(id, reached);
      const taken = project && (await this.#take(run, at, project, page));
      if (project && !taken) continue;
      if (taken?.more) at.pages.set(id, page + 1);
      else at.pages.delete(id);
      isGoingOn = true;
      yield* this.#settled(taken);
    }
    if (at.pages.size > 0) return isGoingOn;
    delete memory.backfill;
    this.#counts.clear();
    yield { changes: [], memory: writeMemory(memory) };
    return true;
  }

  #pageOf(id: number, page: number): number {
    return this.#options.depth > 0 && this.#counts.get(id)?.page !== page ? 1 : page;
  }

  async *#settled(taken: Taken | undefined): AsyncGenerator<Step, void, undefined> {
    if (!taken) return;
    yield taken.step();
    taken.settle();
  }

  /** `undefined` where GitLab does not give the page. */
  async #take(
    { memory, signal }: BackfillRun,
    { horizonMs, pass }: Backfilling,
    project: Project,
    page: number,
  ): Promise<Taken | undefined> {
    const { failures, http, rounds, siblings, journal } = this.#options;
    const { path } = project;
    if (rounds.isRefused(path) || rounds.isWaiting(path, 'past', http.now())) return undefined;
    try {
      const { deployments, more } = await siblings.page(project, page, signal);
      const within = deployments.filter(({ createdAt }) => Date.parse(createdAt) >= horizonMs);
      const all = journal.entriesOf(within);
      const taken = new Map(page === 1 ? [] : this.#counts.get(project.id)?.taken);
      const entries = (pass === 1 ? this.#newest(all) : this.#counted(all, taken)).reverse();
      const changes = await journal.changesOf(project, entries, memory.startMs, signal);
      failures.answered();
      rounds.worked(path, 'past');
      if (pass === 2) this.#counts.set(project.id, { page: page + 1, taken });
      return {
        step: () => ({ changes, memory: writeMemory(memory) }),
        settle: () => journal.settle(entries.map(({ deployment }) => deployment)),
        more: more && within.length === deployments.length,
      };
    } catch (error) {
      await failures.bear(path, 'past', error, signal);
      return undefined;
    }
  }

  /** The first entry of each environment. */
  #newest(entries: readonly Entry[]): Entry[] {
    const { depth } = this.#options;
    const environments = new Set<string>();
    return entries.flatMap(({ deployment, proofs }) => {
      if (environments.has(deployment.environment)) return [];
      environments.add(deployment.environment);
      return [{ deployment, proofs: depth > 0 ? proofs.slice(-depth) : proofs }];
    });
  }

  /** Of each environment no more changes than the depth, those in `counts` included; from new to old. */
  #counted(entries: readonly Entry[], counts: Map<string, number>): Entry[] {
    const { depth } = this.#options;
    if (depth === 0) return [...entries];
    return entries.flatMap(({ deployment, proofs }) => {
      const count = counts.get(deployment.environment) ?? 0;
      const taken = count < depth ? proofs.slice(count - depth) : [];
      counts.set(deployment.environment, count + taken.length);
      return taken.length > 0 ? [{ deployment, proofs: taken }] : [];
    });
  }
}
