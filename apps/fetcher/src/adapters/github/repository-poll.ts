import type { Step } from '../../adapter.ts';
import { ListCut } from '../../tool/refusals.ts';
import type { ToolHttp } from '../../tool/tool-http.ts';
import { type Deployment, pickDeployments } from './api.ts';
import { takeOver, type Work } from './book.ts';
import { deploymentsPath } from './inspector.ts';
import { createdMs, isOver, isUnbegun, overlapMs, type Repository, startOfBackfill, updatedMs } from './repository.ts';

/** Deployments per step. */
export const deploymentsPerStep = 10;

/**
 * Polls a repository: its list, and every new or changed deployment, oldest first.
 * @throws what `ToolHttp` throws; earlier steps count
 */
export async function* lookAt(work: Work, repository: Repository, signal: AbortSignal): AsyncGenerator<Step> {
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
    // An incomplete list may hide others: the mark must not skip them.
    if (!listing.cut) repository.mark = Math.max(repository.mark ?? 0, ...inspected.map(({ id }) => id));
    if (left.length === 0 && !listing.cut) {
      conclude(repository, listing, isBegin);
      rounds.looked(repository.name, listing.atMs, listing.due.length > 0);
    }
    if (inspected.length > 0 || isFirst) yield work.step(changes);
  } while (left.length > 0);
  if (!listing.cut) return;
  repository.seen = new Map([...repository.seen, ...seenIn(listing.due)]);
  throw listing.cut;
}

function seenIn(deployments: readonly Deployment[]): (readonly [id: number, ms: number])[] {
  return deployments.map((one) => [one.id, updatedMs(one)] as const);
}

/** Records that the list has been processed, except what is left to the backfill. */
function conclude(repository: Repository, { atMs, deployments, heads }: Listing, isBegin: boolean): void {
  const { open, backfill } = repository;
  const before = repository.mark ?? 0;
  const mark = Math.max(before, ...deployments.map(({ id }) => id));
  repository.mark = mark;
  repository.lookedMs = atMs;
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

/** The list of a repository's deployments. */
export interface Listing {
  /** When it was requested, by the tool's clock. */
  readonly atMs: number;
  readonly deployments: readonly Deployment[];
  /** The deployments to inspect, by id. */
  readonly due: readonly Deployment[];
  /** The newest deployment of each environment on the first page, within the horizon of the backfill. */
  readonly heads: readonly Deployment[];
  /** Why the list is incomplete. */
  readonly cut?: ListCut;
}

/**
 * Reads the list from the top until nothing new can follow: down to the mark, and further by the possible age of a stale
 * read. Before a backfill the first page is enough.
 * @throws what `ToolHttp` throws
 */
export async function readListing(
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
function floorMs({ mark, lookedMs }: Repository, deployments: readonly Deployment[]): number {
  if (mark === undefined) return lookedMs - overlapMs;
  const marked = deployments.find(({ id }) => id <= mark);
  return marked ? createdMs(marked) - overlapMs : Number.NEGATIVE_INFINITY;
}

function isEnough(repository: Repository, deployments: readonly Deployment[]): boolean {
  const last = deployments.at(-1);
  if (!last) return true;
  return last.id <= (repository.mark ?? Number.POSITIVE_INFINITY) && createdMs(last) < floorMs(repository, deployments);
}

/**
 * New deployments, and those updated since they were processed; open ones are followed separately. After a restart only
 * the time of the last poll is known, and that poll may have been some minutes stale.
 */
function dueOf({ mark, open, seen, lookedMs }: Repository, deployments: readonly Deployment[]): Deployment[] {
  const isDue = (deployment: Deployment) => {
    const seenMs = seen.get(deployment.id);
    if (seenMs !== undefined) return updatedMs(deployment) > seenMs;
    if (mark !== undefined && deployment.id > mark) return true;
    return updatedMs(deployment) >= lookedMs - overlapMs;
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
