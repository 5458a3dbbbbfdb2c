import type { Step } from '../../adapter.ts';
import type { Change } from '../../change.ts';
import { ListCut, PlaceRefused, ToolAway } from '../../tool/refusals.ts';
import { failedOnceMore, type PlaceFailures, type Rounds } from '../../tool/rounds.ts';
import type { ToolHttp } from '../../tool/tool-http.ts';
import { type Deployment, type DeploymentStatus, pickDeployment, pickDeployments, pickStatuses } from './api.ts';
import type { Book } from './book.ts';
import {
  createdMs,
  deploymentsPath,
  isOver,
  isUnbegun,
  overlapMs,
  type Repository,
  repositoryPath,
  startOfBackfill,
  updatedMs,
  type Watched,
} from './repository.ts';
import { isTerminal, newestOf, type Translator } from './translator.ts';

/** The state that polling and backfill share until the next memory. */
export interface Work {
  readonly book: Book;
  readonly http: ToolHttp;
  readonly rounds: Rounds;
  readonly failures: PlaceFailures;
  readonly inspector: Inspector;
}

export const deploymentsPerStep = 10;

/** Polls a repository: reads its list and every new or changed deployment, oldest first. */
export async function* pollRepository(work: Work, repository: Repository, signal: AbortSignal): AsyncGenerator<Step> {
  const { book, failures, http, inspector, rounds } = work;
  const listing = await readListing(http, repository, book.horizonMs, signal);
  failures.answered();
  const isFirst = repository.mark === undefined;
  const left = [...listing.due];
  do {
    const inspected = [];
    for (const deployment of left.splice(0, deploymentsPerStep)) {
      inspected.push(await inspector.inspect(repository.name, deployment, signal));
    }
    const isBegin = isUnbegun(repository);
    const changes = takeOver(repository, inspected);
    // An incomplete list may hide other deployments, which the mark must not skip.
    if (!listing.cut) repository.mark = Math.max(repository.mark ?? 0, ...inspected.map(({ id }) => id));
    if (left.length === 0 && !listing.cut) {
      conclude(repository, listing, isBegin);
      rounds.polled(repository.name, listing.atMs, listing.due.length > 0);
    }
    if (inspected.length > 0 || isFirst) yield work.book.step(changes);
  } while (left.length > 0);
  if (!listing.cut) return;
  repository.seen = new Map([...repository.seen, ...seenIn(listing.due)]);
  throw listing.cut;
}

function seenIn(deployments: readonly Deployment[]): (readonly [id: number, ms: number])[] {
  return deployments.map((one) => [one.id, updatedMs(one)] as const);
}

/** Records that the list has been processed, except for the part left to the backfill. */
function conclude(repository: Repository, { atMs, deployments, heads }: Listing, isBegin: boolean): void {
  const { open, backfill } = repository;
  const before = repository.mark ?? 0;
  const mark = Math.max(before, ...deployments.map(({ id }) => id));
  repository.mark = mark;
  repository.polledMs = atMs;
  repository.seen = new Map(seenIn(deployments));
  for (const deployment of deployments) {
    const watched = open.get(deployment.id);
    if (watched) open.set(deployment.id, { ...watched, deployment });
  }
  if (!backfill || backfill.heads !== undefined || backfill.least === 0) return;
  repository.backfill = {
    ...startOfBackfill(),
    heads: [...heads],
    // The backfill begins below the mark.
    least: deployments.length === 0 ? 0 : (backfill.least ?? (isBegin ? mark : before) + 1),
  };
}

interface Listing {
  /** When it was requested, by the tool's clock. */
  readonly atMs: number;
  readonly deployments: readonly Deployment[];
  readonly due: readonly Deployment[];
  /** The newest deployment of each environment on the first page, within the horizon of the backfill. */
  readonly heads: readonly Deployment[];
  readonly cut?: ListCut;
}

/**
 * Reads the list from the newest deployment on until no new one can follow: down to the mark, and further in case an
 * earlier read was stale. Before a backfill the first page is enough. @throws what `ToolHttp` throws
 */
async function readListing(
  http: ToolHttp,
  repository: Repository,
  horizonMs: number,
  signal: AbortSignal,
): Promise<Listing> {
  const atMs = http.now();
  const unbegun = isUnbegun(repository);
  const deployments: Deployment[] = [];
  let first: readonly Deployment[] = [];
  let cut: ListCut | undefined;
  try {
    for await (const { body } of http.pages(deploymentsPath(repository.name), signal, pickDeployments)) {
      if (deployments.length === 0) first = body;
      deployments.push(...body);
      if (unbegun || isEnough(repository, deployments)) break;
    }
  } catch (error) {
    if (!(error instanceof ListCut)) throw error;
    cut = error;
  }
  const needsHeads = repository.backfill && !isOver(repository) && repository.backfill.heads === undefined;
  return {
    atMs,
    deployments,
    due: unbegun ? [] : dueOf(repository, deployments),
    heads: needsHeads ? headsOf(first, horizonMs) : [],
    ...(cut && { cut }),
  };
}

/** Deployments created before this instant have been processed. */
function floorMs({ mark, polledMs }: Repository, deployments: readonly Deployment[]): number {
  if (mark === undefined) return polledMs - overlapMs;
  const marked = deployments.find(({ id }) => id <= mark);
  return marked ? createdMs(marked) - overlapMs : Number.NEGATIVE_INFINITY;
}

function isEnough(repository: Repository, deployments: readonly Deployment[]): boolean {
  const last = deployments.at(-1);
  if (!last) return true;
  return last.id <= (repository.mark ?? Number.POSITIVE_INFINITY) && createdMs(last) < floorMs(repository, deployments);
}

/**
 * Deployments that are new or were updated since they were processed; open ones are polled separately. After a restart
 * only the time of the last poll is known, whose data may have been some minutes stale.
 */
function dueOf({ mark, open, seen, polledMs }: Repository, deployments: readonly Deployment[]): Deployment[] {
  const isDue = (deployment: Deployment) => {
    const seenMs = seen.get(deployment.id);
    if (seenMs !== undefined) return updatedMs(deployment) > seenMs;
    if (mark !== undefined && deployment.id > mark) return true;
    return updatedMs(deployment) >= polledMs - overlapMs;
  };
  return deployments
    .filter((deployment) => !open.has(deployment.id) && isDue(deployment))
    .sort((one, other) => one.id - other.id);
}

function headsOf(page: readonly Deployment[], horizonMs: number): Deployment[] {
  const heads = new Map<string, Deployment>();
  for (const deployment of page) {
    if (createdMs(deployment) >= horizonMs && !heads.has(deployment.environment)) {
      heads.set(deployment.environment, deployment);
    }
  }
  return [...heads.values()];
}

/** Updates the open deployments of a repository; returns the changes. */
export function takeOver({ open }: Repository, inspected: readonly Inspected[]): Change[] {
  for (const { id, watched } of inspected) {
    if (watched) open.set(id, watched);
    else open.delete(id);
  }
  return inspected.flatMap(({ changes }) => changes);
}

/** How long after its newest status an ended deployment is still polled (fetcher §9.1). */
const settlingMs = 15 * 60_000;
const failuresMax = 3;

export interface Inspected {
  readonly id: number;
  readonly changes: readonly Change[];
  /** `undefined` if the deployment is no longer open. */
  readonly watched: Watched | undefined;
}

export interface InspectorOptions {
  readonly http: ToolHttp;
  readonly translator: Pick<Translator, 'changesOf'>;
  readonly watchMaxAgeMs: number;
  onUnknown(state: string): void;
}

/** Inspects single deployments: reads their statuses, and returns the resulting changes and whether more may follow. */
export class Inspector {
  readonly #options: InspectorOptions;
  readonly #failures = new Map<string, Set<number>>();

  constructor(options: InspectorOptions) {
    this.#options = options;
  }

  /**
   * Inspects a listed deployment. If it can't be read, it stays open but doesn't delay others. @throws what `ToolHttp`
   * throws, except `PlaceRefused`; ToolAway at the third consecutive failure of its repository
   */
  async inspect(repo: string, deployment: Deployment, signal: AbortSignal): Promise<Inspected> {
    const watched = { id: deployment.id, deployment };
    try {
      return await this.ask(repo, watched, signal);
    } catch (error) {
      if (error instanceof PlaceRefused) return { id: deployment.id, changes: [], watched };
      const unread = error instanceof ToolAway ? this.unread(repo, watched, error) : undefined;
      if (!unread) throw error;
      return unread;
    }
  }

  /** Records a failure; `undefined` at the third consecutive failure of its repository. */
  unread(repo: string, watched: Watched, error: ToolAway): Inspected | undefined {
    const failures = (this.#failures.get(repo) ?? new Set()).add(watched.id);
    this.#failures.set(repo, failures);
    if (failures.size === failuresMax) {
      this.#failures.delete(repo);
      return undefined;
    }
    const failing = failedOnceMore(watched.failing, this.#options.http.now(), error.message);
    return { id: watched.id, changes: [], watched: { ...watched, failing } };
  }

  async ask(repo: string, watched: Watched, signal: AbortSignal): Promise<Inspected> {
    const { http, translator, onUnknown } = this.#options;
    const { id, last, isReported = false } = watched;
    const path = `${repositoryPath(repo)}/deployments/${id}`;
    const deployment = watched.deployment ?? (await http.get(path, signal, pickDeployment)).body;
    const { statuses, unchanged } = await this.#statuses(path, signal);
    const { changes, held, unknown } =
      isReported && unchanged
        ? { changes: [], held: false, unknown: [] }
        : await translator.changesOf(repo, deployment, statuses, signal);
    for (const state of unknown) onUnknown(state);
    this.#failures.delete(repo);
    const newest = newestOf(statuses);
    const ended = !held && newest !== undefined && isTerminal(newest.state);
    const nowMs = http.now();
    // The list may show a status that a later read of the statuses doesn't contain yet.
    const lastMs = Math.max(updatedMs(deployment), newest ? Date.parse(newest.createdAt) : 0);
    const isOpen = held || !ended || nowMs - lastMs < settlingMs;
    if (!isOpen || this.isTooOld(deployment)) return { id, changes, watched: undefined };
    const newestChange = changes.at(-1) ?? last;
    return {
      id,
      changes,
      watched: { id, deployment, ended, isReported: !held, ...(newestChange && { last: newestChange }) },
    };
  }

  isTooOld(deployment: Deployment): boolean {
    return this.#options.http.now() - createdMs(deployment) > this.#options.watchMaxAgeMs;
  }

  async #statuses(path: string, signal: AbortSignal) {
    const statuses = new Map<number, DeploymentStatus>();
    let unchanged = true;
    for await (const page of this.#options.http.pages(`${path}/statuses?per_page=100`, signal, pickStatuses)) {
      unchanged &&= page.unchanged;
      // A status created while the pages are read shifts the others.
      for (const status of page.body) statuses.set(status.id, status);
    }
    return { statuses: [...statuses.values()], unchanged };
  }
}
