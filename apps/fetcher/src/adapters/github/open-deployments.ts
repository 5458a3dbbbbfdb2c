import type { Step } from '../../adapter.ts';
import type { Change } from '../../change.ts';
import { PlaceRefused, ToolAway } from '../../tool/refusals.ts';
import { isWaiting } from '../../tool/rounds.ts';
import { pickDeployments } from './api.ts';
import { deploymentsPath, type Repository, type Watched } from './repository.ts';
import { type Inspected, takeOver, type Work } from './repository-poll.ts';

interface Open {
  readonly repository: Repository;
  readonly watched: Watched;
  /** Whether its repository is no longer in any list. */
  readonly isLeaving: boolean;
}

/** Polls open deployments one by one, by id, continuing where the last cycle ended (fetcher §7.1, §9.1). */
export class OpenDeployments {
  /** The id of the last deployment in an incomplete cycle. */
  #lastId: number | undefined;

  /** Runs one cycle, which ends early if the pace leaves no room. @throws ToolAway only if the tool is unreachable */
  async *cycle(work: Work, signal: AbortSignal): AsyncGenerator<Step> {
    const { leaving, repositories } = work.book;
    const all = [...repositories].flatMap((one) => openOf(one, false));
    all.push(...leaving.flatMap((one) => openOf(one, true)));
    all.sort((one, other) => one.watched.id - other.watched.id);
    const first = Math.max(
      0,
      all.findIndex(({ watched }) => watched.id > (this.#lastId ?? 0)),
    );
    const failed = new Set<Repository>();
    for (const open of [...all.slice(first), ...all.slice(0, first)]) {
      if (!work.http.hasTurn) return;
      if (!failed.has(open.repository)) {
        if (yield* ask(work, open, signal, true)) failed.add(open.repository);
      }
      this.#lastId = open.watched.id;
    }
    this.#lastId = undefined;
  }

  async *of(work: Work, repository: Repository, signal: AbortSignal): AsyncGenerator<Step> {
    for (const open of openOf(repository, false)) if (yield* ask(work, open, signal, false)) return;
  }
}

function openOf(repository: Repository, isLeaving: boolean): Open[] {
  return [...repository.open.values()].map((watched) => ({ repository, watched, isLeaving }));
}

/** Returns whether the repository fails. */
async function* ask(
  work: Work,
  open: Open,
  signal: AbortSignal,
  countsMisses: boolean,
): AsyncGenerator<Step, boolean, undefined> {
  const { repository, watched } = open;
  const { failures, http, inspector, rounds } = work;
  const { name } = repository;
  const nowMs = http.now();
  if (rounds.isRefused(name) && !rounds.isGone(name)) return false;
  if (rounds.isWaiting(name, 'open', nowMs) || isWaiting(watched.failing, nowMs)) return false;
  let inspected: Inspected;
  try {
    if (open.isLeaving && (await hasMoved(work, repository, signal))) return yield* missed(work, open, countsMisses);
    inspected = await inspector.ask(name, watched, signal);
    failures.answered();
    rounds.worked(name, 'open');
  } catch (error) {
    if (error instanceof PlaceRefused) {
      const isGone = error.isGone && !(await isListed(work, open, signal));
      return isGone ? yield* missed(work, open, countsMisses) : false;
    }
    if (!(error instanceof ToolAway)) throw error;
    const unread = inspector.unread(name, watched, error);
    if (!unread) {
      await failures.record(name, 'open', error, signal);
      return true;
    }
    await failures.count(error, signal);
    inspected = unread;
  }
  const changes = takeOver(repository, [inspected]);
  if (changes.length > 0 || !inspected.watched) yield work.book.step(changes);
  return false;
}

/** The deployment is missing; it ends when it is missing a second time (fetcher §9.1). */
async function* missed(
  work: Work,
  { repository, watched }: Open,
  countsMisses: boolean,
): AsyncGenerator<Step, boolean, undefined> {
  if (watched.missed) {
    const changes = vanished(watched, work.http.now());
    yield work.book.step(takeOver(repository, [{ id: watched.id, changes, watched: undefined }]));
  } else if (countsMisses) repository.open.set(watched.id, { ...watched, missed: true });
  return false;
}

/** Whether the list of its repository still contains it, or is inaccessible although the repository exists. */
async function isListed(work: Work, { repository, watched }: Open, signal: AbortSignal): Promise<boolean> {
  try {
    const { body } = await work.http.get(deploymentsPath(repository.name), signal, pickDeployments);
    return body.some(({ id }) => id === watched.id);
  } catch (error) {
    await work.failures.record(repository.name, 'list', error, signal);
    return !(error instanceof PlaceRefused && error.isGone);
  }
}

/** Whether a repository was renamed. @throws what `ToolHttp` throws */
async function hasMoved(work: Work, { name }: Repository, signal: AbortSignal): Promise<boolean> {
  return (await work.http.get(deploymentsPath(name), signal, pickDeployments)).isMoved === true;
}

/** A deleted deployment counts as cancelled, unless it hasn't been read since a restart. */
function vanished({ last, ended }: Watched, nowMs: number): Change[] {
  if (!last || ended) return [];
  const at = new Date(nowMs).toISOString();
  return [{ ...last, status: 'cancelled', at, order: last.order + 1, identity: 'status' }];
}
