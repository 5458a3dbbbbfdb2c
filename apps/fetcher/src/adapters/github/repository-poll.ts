import type { Step } from '../../adapter.ts';
import { ListCut } from '../../tool/refusals.ts';
import type { ToolHttp } from '../../tool/tool-http.ts';
import { type Deployment, pickDeployments } from './api.ts';
import { takeOver, type Work } from './book.ts';
import { deploymentsPath } from './inspector.ts';
import { createdMs, isOver, isUnbegun, overlapMs, type Repository, startOfBackfill, updatedMs } from './repository.ts';

/** Deployments that are looked at between two steps. */
export const deploymentsPerStep = 10;

/**
 * One look at a repository: its list, and every deployment that is new or was changed, oldest first.
 * @throws what `ToolHttp` throws; what was handed out by then counts
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
    // Behind a cut there may be others that no look has shown: the mark must not hide them.
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

/** Nothing of the list is outstanding any more, except what is left to the backfill. */
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
    // What a first look does not deal with begins at the mark; what others deal with does so, too.
    least: deployments.length === 0 ? 0 : (backfill.least ?? (isBegin ? mark : before) + 1),
  };
}

/** What a look at the list of a repository's deployments shows. */
export interface Listing {
  /** By the tool's clock, when it was asked for. */
  readonly atMs: number;
  readonly deployments: readonly Deployment[];
  /** Those that are to be looked at, in the order of their ids. */
  readonly due: readonly Deployment[];
  /** The newest of each environment on the first page, within the horizon of the backfill. */
  readonly heads: readonly Deployment[];
  /** Why what follows on the list is not known. */
  readonly cut?: ListCut;
}

/**
 * Reads the list from its top until nothing new can follow: down to the mark, and as much further as a read may be older
 * than another. Of a repository whose backfill is to begin the first page is enough.
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

/** What was created before this instant was in the list when it was dealt with. */
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
 * What is new, and what was updated since it was dealt with; those that are open are asked by themselves. Of what was seen
 * before a restart only the last look's instant is known, and that look may have shown what was so some minutes before.
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
