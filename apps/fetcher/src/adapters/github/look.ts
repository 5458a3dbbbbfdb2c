import type { Step } from '../../adapter.ts';
import type { Deployment } from './api.ts';
import { type Listing, readListing } from './listing.ts';
import type { Repository } from './repository.ts';
import { isUnbegun, startOfBackfill, updatedMs } from './repository.ts';
import { takeOver, type Work } from './work.ts';

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
