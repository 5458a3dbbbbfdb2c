import type { Step } from '../../adapter.ts';
import type { Change } from '../../change.ts';
import { PlaceRefused } from '../../tool/refusals.ts';
import { pickDeployments } from './api.ts';
import { deploymentsPath } from './inspector.ts';
import type { Repository, Watched } from './repository.ts';
import { takeOver, type Work } from './work.ts';

interface Open {
  readonly repository: Repository;
  readonly watched: Watched;
}

/** Asks open deployments one by one, by id, going on where the last cycle ended (fetcher §7.1, §9.1). */
export class OpenDeployments {
  /** The last one of a cycle that did not reach all of them. */
  #lastId: number | undefined;

  /**
   * One cycle; it ends early where the pace leaves no turn.
   * @throws what `ToolHttp` throws; ToolAway only where three in a row failed
   */
  async *cycle(work: Work, signal: AbortSignal): AsyncGenerator<Step> {
    const all = [...work.book.repositories].flatMap(openOf);
    all.sort((one, other) => one.watched.id - other.watched.id);
    const first = Math.max(
      0,
      all.findIndex(({ watched }) => watched.id > (this.#lastId ?? 0)),
    );
    for (const open of [...all.slice(first), ...all.slice(0, first)]) {
      if (!work.http.hasTurn) return;
      yield* ask(work, open, signal, true);
      this.#lastId = open.watched.id;
    }
    this.#lastId = undefined;
  }

  /** Those of one repository, out of turn. */
  async *of(work: Work, repository: Repository, signal: AbortSignal): AsyncGenerator<Step> {
    for (const open of openOf(repository)) yield* ask(work, open, signal, false);
  }
}

function openOf(repository: Repository): Open[] {
  return [...repository.open.values()].map((watched) => ({ repository, watched }));
}

async function* ask(work: Work, open: Open, signal: AbortSignal, countsMisses: boolean): AsyncGenerator<Step> {
  const { repository, watched } = open;
  const { inspector, rounds } = work;
  if (rounds.isRefused(repository.name)) return;
  let inspected = await inspector.ask(repository.name, watched, signal).catch((error: unknown) => {
    if (error instanceof PlaceRefused) return error;
    return inspector.unread(watched, error);
  });
  if (inspected instanceof PlaceRefused) {
    const isGone = inspected.status === 404 || inspected.status === 410;
    if (!isGone || (await isListed(work, open, signal))) return;
    if (!watched.missed) {
      if (countsMisses) repository.open.set(watched.id, { ...watched, missed: true });
      return;
    }
    inspected = { id: watched.id, changes: vanished(watched, work.http.now()), watched: undefined };
  }
  const changes = takeOver(repository, [inspected]);
  if (changes.length > 0 || !inspected.watched) yield work.step(changes);
}

/** Whether its repository still names it, or does not answer by itself. */
async function isListed(work: Work, { repository, watched }: Open, signal: AbortSignal): Promise<boolean> {
  try {
    const { body } = await work.http.get(deploymentsPath(repository.name), signal, pickDeployments);
    return body.some(({ id }) => id === watched.id);
  } catch (error) {
    work.failed(repository, error);
    return true;
  }
}

/** A deployment that is gone has not ended well; of one that was not read since a restart nobody knows where it was. */
function vanished({ last, ended }: Watched, nowMs: number): Change[] {
  if (!last || ended) return [];
  const at = new Date(nowMs).toISOString();
  return [{ ...last, status: 'cancelled', at, order: last.order + 1, identity: 'status' }];
}
