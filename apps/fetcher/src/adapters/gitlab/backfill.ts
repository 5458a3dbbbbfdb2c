import type { Step } from '../../adapter.ts';
import type { Change } from '../../change.ts';
import type { PlaceFailures, Rounds } from '../../tool/rounds.ts';
import type { ToolHttp } from '../../tool/tool-http.ts';
import type { Deployment, Project } from './answers.ts';
import type { Entry, Journal } from './journal.ts';
import { type Backfilling, type Memory, writeMemory } from './memory.ts';
import type { Siblings } from './siblings.ts';

export interface BackfillOptions {
  readonly http: ToolHttp;
  readonly rounds: Rounds;
  readonly failures: PlaceFailures;
  readonly siblings: Siblings;
  readonly journal: Journal;
  /** How many of the newest changes to read per environment; 0: all. */
  readonly depth: number;
}

/** A backfill run over some projects. It changes its own copy of the memory. */
export interface BackfillRun {
  readonly memory: Memory;
  readonly projects: readonly Project[];
  readonly signal: AbortSignal;
}

/** How many changes of each environment the earlier pages contain. If it is missing, the project starts over. */
interface Counts {
  readonly page: number;
  readonly taken: ReadonlyMap<string, number>;
}

interface Page {
  /** Oldest first. */
  readonly entries: readonly Entry[];
  /** Whether older deployments within the horizon may follow. */
  readonly more: boolean;
  /** How many changes of each environment this page and the earlier ones contain. */
  readonly counts: ReadonlyMap<string, number>;
}

/** A page to process. `finish` records it as done or, given `undefined`, that GitLab didn't answer. */
interface Task {
  readonly at: Backfilling;
  readonly project: Project;
  readonly page: number;
  finish(taken: Page | undefined): void;
}

/**
 * The backfill of projects down to a horizon (fetcher §8): first the newest deployment of each environment in every
 * project, then all others page by page, alternating between the projects.
 */
export class Backfill {
  readonly #options: BackfillOptions;
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
      if (!project && at.pass === 1) Object.assign(at, { pass: 2, sweptTo: 0 });
      else if (!(yield* project ? this.#sweep(run, at, project) : this.#turn(run, at))) return;
    }
  }

  /** How many accessible projects are left. */
  left({ pass, sweptTo, pages }: Backfilling, projects: readonly Project[]): number {
    const refused = new Set(this.#options.rounds.refusedNames);
    const isLeft = ({ id }: Project) => pass === 1 || id > sweptTo || pages.has(id);
    return projects.filter((project) => isLeft(project) && !refused.has(project.path)).length;
  }

  /** Processes the first page of a project; false if polling is due. */
  #sweep(run: BackfillRun, at: Backfilling, project: Project): AsyncGenerator<Step, boolean, undefined> {
    const finish = (taken: Page | undefined) => {
      at.sweptTo = project.id;
      if (at.pass === 2 && (!taken || taken.more)) at.pages.set(project.id, taken ? 2 : 1);
    };
    return this.#take(run, { at, project, page: 1, finish });
  }

  /** Processes the next page of each project; false if none could be read, or polling is due. */
  async *#turn(run: BackfillRun, at: Backfilling): AsyncGenerator<Step, boolean, undefined> {
    const { memory, projects } = run;
    let hasProgress = false;
    for (const [id, reached] of [...at.pages]) {
      const project = projects.find((one) => one.id === id);
      if (project && !this.#options.http.hasSpare) return false;
      const page = this.#pageOf(id, reached);
      const finish = (taken: Page | undefined) => {
        if (!taken) return;
        hasProgress = true;
        if (taken.more) at.pages.set(id, page + 1);
        else at.pages.delete(id);
      };
      if (!project) at.pages.delete(id);
      else if (!(yield* this.#take(run, { at, project, page, finish }))) return false;
    }
    if (at.pages.size > 0) return hasProgress;
    delete memory.backfill;
    this.#counts.clear();
    yield { changes: [], memory: writeMemory(memory) };
    return true;
  }

  #pageOf(id: number, page: number): number {
    return this.#options.depth > 0 && this.#counts.get(id)?.page !== page ? 1 : page;
  }

  /** Yields a page as one step. Returns false if polling is due; the page is then incomplete and repeated. */
  async *#take(run: BackfillRun, task: Task): AsyncGenerator<Step, boolean, undefined> {
    const { http, journal } = this.#options;
    const { memory, signal } = run;
    const { project, finish } = task;
    const changes: Change[] = [];
    const processed: Deployment[] = [];
    const taken = await this.#bear(project, signal, () => this.#read(task, signal));
    for (const entry of taken?.entries ?? []) {
      if (processed.length > 0 && !http.hasSpare) {
        yield { changes, memory: writeMemory(memory) };
        journal.settle(processed);
        return false;
      }
      const found = await this.#bear(project, signal, () =>
        journal.changesOf(project, [entry], memory.startMs, signal),
      );
      if (!found) {
        finish(undefined);
        return true;
      }
      changes.push(...found);
      processed.push(entry.deployment);
    }
    finish(taken);
    if (!taken) return true;
    this.#options.rounds.worked(project.path, 'backfill');
    if (task.at.pass === 2) this.#counts.set(project.id, { page: task.page + 1, taken: taken.counts });
    yield { changes, memory: writeMemory(memory) };
    journal.settle(processed);
    return true;
  }

  async #read({ at: { horizonMs, pass }, project, page }: Task, signal: AbortSignal): Promise<Page> {
    const { siblings, journal } = this.#options;
    const { deployments, more } = await siblings.page(project, page, signal);
    const within = deployments.filter(({ createdAt }) => Date.parse(createdAt) >= horizonMs);
    const all = journal.entriesOf(within);
    const counts = new Map(page === 1 ? [] : this.#counts.get(project.id)?.taken);
    const entries = (pass === 1 ? this.#newest(all) : this.#counted(all, counts)).reverse();
    return { entries, counts, more: more && within.length === deployments.length };
  }

  /** `undefined` if GitLab doesn't answer for this project. @throws errors that concern all projects */
  async #bear<Result>({ path }: Project, signal: AbortSignal, ask: () => Promise<Result>): Promise<Result | undefined> {
    const { failures, http, rounds } = this.#options;
    if (rounds.isRefused(path) || rounds.isWaiting(path, 'backfill', http.now())) return undefined;
    try {
      const result = await ask();
      failures.answered();
      return result;
    } catch (error) {
      await failures.record(path, 'backfill', error, signal);
      return undefined;
    }
  }

  #newest(entries: readonly Entry[]): Entry[] {
    const { depth } = this.#options;
    const environments = new Set<string>();
    return entries.flatMap(({ deployment, proofs }) => {
      if (environments.has(deployment.environment)) return [];
      environments.add(deployment.environment);
      return [{ deployment, proofs: depth > 0 ? proofs.slice(-depth) : proofs }];
    });
  }

  /** At most `depth` changes per environment, including those in `counts`; newest first. */
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
