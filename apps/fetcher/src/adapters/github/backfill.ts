import type { Step } from '../../adapter.ts';
import type { Change } from '../../change.ts';
import { type Deployment, pickDeployments } from './api.ts';
import { type Backfilling, createdMs, deploymentsPath, isOver, type Repository } from './repository.ts';
import { deploymentsPerStep, type Inspected, takeOver, type Work } from './repository-poll.ts';

const perPage = 100;

/** The backfill of a source: first the newest deployment of each environment, then page by page (fetcher §8). */
export class Backfill {
  readonly #depth: number;
  /** The number of events already read, by repository and environment. */
  readonly #taken = new Map<string, number>();
  readonly #failed = new Set<string>();
  #last = '';

  constructor(depth: number) {
    this.#depth = depth;
  }

  /** Allows a run to retry repositories that failed in an earlier run. */
  begin(): void {
    this.#failed.clear();
  }

  /** The next part of the backfill, from one repository; may be empty. `undefined` when nothing more can be done. */
  async next(work: Work, signal: AbortSignal): Promise<Step[] | undefined> {
    const waiting = this.#waiting(work);
    const repository = waiting.find(({ backfill }) => backfill?.heads?.length) ?? waiting[0];
    if (!repository?.backfill) return undefined;
    this.#last = repository.name;
    try {
      const steps = await this.#part(work, repository, repository.backfill, signal);
      work.failures.answered();
      work.rounds.worked(repository.name, 'backfill');
      return steps;
    } catch (error) {
      this.#failed.add(repository.name);
      await work.failures.record(repository.name, 'backfill', error, signal);
      return [];
    }
  }

  /** The repositories to backfill, in order, beginning after the last one. Polling must have read their lists first. */
  #waiting({ book, http, rounds }: Work): Repository[] {
    const all = [...book.repositories];
    const from = all.findIndex(({ name }) => name === this.#last) + 1;
    return [...all.slice(from), ...all.slice(0, from)].filter((one) => {
      if (!one.backfill?.heads || isOver(one)) return false;
      const isTried = rounds.isRefused(one.name) || rounds.isWaiting(one.name, 'backfill', http.now());
      return !isTried && !this.#failed.has(one.name);
    });
  }

  async #part(work: Work, repository: Repository, backfill: Backfilling, signal: AbortSignal): Promise<Step[]> {
    const { heads = [] } = backfill;
    if (heads.length > 0) {
      const inspected = await inspectSome(work, repository, heads.slice(0, deploymentsPerStep), signal);
      backfill.heads = heads.slice(inspected.length);
      return [work.book.step(takeOver(repository, inspected).slice(this.#depth === 0 ? 0 : -this.#depth))];
    }
    if (backfill.left.length === 0) return this.#turnPage(work, repository, backfill, signal);
    const changes = await this.#takePart(work, repository, backfill, signal);
    if (backfill.left.length === 0) backfill.least = backfill.leastOfPage;
    return [work.book.step(changes)];
  }

  /**
   * Reads a page and selects the deployments to process. Reads it again when these are done, because deletions shift
   * others to it.
   */
  async #turnPage(work: Work, repository: Repository, backfill: Backfilling, signal: AbortSignal): Promise<Step[]> {
    const { page, least = 0 } = backfill;
    const { horizonMs } = work.book;
    const { body } = await work.http.get(deploymentsPath(repository.name, page), signal, pickDeployments);
    const within = body.filter((one) => createdMs(one) >= horizonMs);
    const left = within.filter(({ id }) => id < least).sort((one, other) => one.id - other.id);
    const [oldest] = left;
    if (oldest) {
      backfill.left = left;
      backfill.leastOfPage = oldest.id;
      return [];
    }
    if (body.length === perPage && within.length > 0) {
      backfill.page += 1;
      return [];
    }
    backfill.least = 0;
    return [work.book.step()];
  }

  /** Processes some deployments of a page, oldest first; with a depth, newest first. */
  async #takePart(work: Work, repository: Repository, backfill: Backfilling, signal: AbortSignal): Promise<Change[]> {
    const { left } = backfill;
    const isCounted = this.#depth > 0;
    const part = isCounted ? left.slice(-deploymentsPerStep).reverse() : left.slice(0, deploymentsPerStep);
    const selected = isCounted ? part.filter((one) => this.#room(repository, one) > 0) : part;
    const inspected = await inspectSome(work, repository, selected, signal);
    const last = selected[inspected.length];
    // Unselected deployments after the last inspected one count as done, too.
    const done = last ? part.indexOf(last) : part.length;
    backfill.left = isCounted ? left.slice(0, left.length - done) : left.slice(done);
    const changes = takeOver(repository, inspected);
    return isCounted ? this.#counted(repository, selected.slice(0, inspected.length), inspected) : changes;
  }

  #counted(repository: Repository, deployments: readonly Deployment[], inspected: readonly Inspected[]): Change[] {
    return deployments.flatMap((deployment, index) => {
      const room = this.#room(repository, deployment);
      const changes = room > 0 ? (inspected[index]?.changes.slice(-room) ?? []) : [];
      this.#taken.set(slotOf(repository, deployment), this.#depth - room + changes.length);
      return changes;
    });
  }

  #room(repository: Repository, deployment: Deployment): number {
    return this.#depth - (this.#taken.get(slotOf(repository, deployment)) ?? 0);
  }
}

function slotOf({ name }: Repository, { environment }: Deployment): string {
  return JSON.stringify([name, environment]);
}

/** Inspects deployments as long as polling leaves room, and always at least one. */
async function inspectSome(
  { http, inspector }: Work,
  { name }: Repository,
  deployments: readonly Deployment[],
  signal: AbortSignal,
): Promise<Inspected[]> {
  const inspected: Inspected[] = [];
  for (const deployment of deployments) {
    if (inspected.length > 0 && !http.hasSpare) break;
    inspected.push(await inspector.inspect(name, deployment, signal));
  }
  return inspected;
}
