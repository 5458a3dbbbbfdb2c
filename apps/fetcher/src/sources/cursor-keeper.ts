import { CallRefused, type Client, type Clock } from '@shiplog/client';
import type { Json } from '../change.ts';
import type { BudgetMemory } from '../domain/budget.ts';
import { cursorText, parseCursor } from '../domain/cursor.ts';

/** How long a foreign cursor must stand still before a paused process goes on. */
const standStillMs = 5 * 60_000;
/** How often a cursor is stored at most within a cycle. */
const putEveryMs = 10_000;

export interface CursorKeeperOptions {
  readonly client: Pick<Client, 'getFetcherState' | 'putFetcherState'>;
  /** The source's id. */
  readonly adapter: string;
  /** Names this process in the cursor: a UUIDv7. */
  readonly owner: string;
  readonly clock: Clock;
  /** Charged requests of the current window of the tool's quota, which survive a restart in the cursor. */
  readonly quota: { readonly used: BudgetMemory | undefined; restore(used: BudgetMemory): void };
}

/**
 * What the stored cursor says at the beginning of a cycle (fetcher §5.9):
 *
 * - `first`: the first look of this process, with the memory of the process before it, if there was one
 * - `own`: nobody else has written
 * - `cleared`: it was there and is gone, so the log was cleared
 * - `rival`: a process that must give way has written; this one goes on
 * - `paused`: a process that goes before this one has written within 5 minutes
 * - `taken-over`: that process has been silent for 5 minutes; this one goes on with its memory
 */
export type Turn =
  | { readonly kind: 'first' | 'taken-over' | 'cleared'; readonly memory: Json | undefined }
  | { readonly kind: 'own' | 'rival' | 'paused' };

interface Seen {
  readonly updatedAt: string;
  readonly owner: string | undefined;
}

/** The cursor of one source in the service: reads it, stores it, and notices another process that does the same. */
export class CursorKeeper {
  readonly #options: CursorKeeperOptions;
  /** What the service was last known to hold; null: nothing. */
  #seen: Seen | null | undefined;
  #pausedSinceMs: number | undefined;
  /** Whether a process that must give way had written when this one last stored. */
  #hasRival = false;
  #putMs = Number.NEGATIVE_INFINITY;
  /** Of the cursor that was stored last. */
  bytes = 0;

  constructor(options: CursorKeeperOptions) {
    this.#options = options;
  }

  /** @throws what the client throws. */
  async turn(signal: AbortSignal): Promise<Turn> {
    const state = await this.#read(signal);
    const before = this.#seen;
    if (!state) {
      this.#seen = null;
      if (before === undefined) return { kind: 'first', memory: undefined };
      return before === null ? { kind: 'own' } : { kind: 'cleared', memory: undefined };
    }
    const cursor = parseCursor(state.cursor);
    this.#seen = { updatedAt: state.updated_at, owner: cursor?.owner };
    if (before === undefined) {
      if (cursor) this.#options.quota.restore([cursor.usage.resetEpoch, cursor.usage.charged]);
      return { kind: 'first', memory: cursor?.memory };
    }
    const foreign = this.#foreign(state.updated_at, cursor?.owner, before);
    const hasRival = this.#hasRival || foreign === 'smaller';
    this.#hasRival = false;
    if (hasRival) return { kind: 'rival' };
    const nowMs = this.#options.clock.now().getTime();
    if (foreign) this.#pausedSinceMs = nowMs;
    if (this.#pausedSinceMs === undefined) return { kind: 'own' };
    if (nowMs - this.#pausedSinceMs < standStillMs) return { kind: 'paused' };
    this.#pausedSinceMs = undefined;
    return { kind: 'taken-over', memory: cursor?.memory };
  }

  /**
   * Stores a memory, unless one was stored within 10 seconds and `now` is not set. A failure is made up by the next call.
   * Nothing is stored over the cursor of a process that goes before this one, so that the next turn finds it: of two
   * whose cycles go in step, each would otherwise only ever read what it stored itself.
   * @throws what the client throws.
   */
  async put(memory: Json, now: boolean, signal: AbortSignal): Promise<void> {
    const { client, adapter, owner, clock, quota } = this.#options;
    const nowMs = clock.now().getTime();
    if (!now && nowMs - this.#putMs < putEveryMs) return;
    const [resetEpoch, charged] = quota.used ?? [0, 0];
    const stored = this.#seen && (await this.#read(signal));
    const foreign = stored && this.#foreign(stored.updated_at, parseCursor(stored.cursor)?.owner, this.#seen);
    if (foreign === 'greater') return;
    if (foreign === 'smaller') this.#hasRival = true;
    const cursor = cursorText({ owner, usage: { resetEpoch, charged }, memory });
    await client.putFetcherState({ params: { adapter }, body: { cursor }, signal });
    this.#putMs = nowMs;
    this.bytes = Buffer.byteLength(cursor);
    this.#seen = { updatedAt: '', owner };
  }

  /** How the id of another process that has written meanwhile compares with this one's. */
  #foreign(updatedAt: string, owner: string | undefined, before: Seen | null | undefined) {
    if (owner === undefined || owner === this.#options.owner || before?.updatedAt === updatedAt) return undefined;
    return owner < this.#options.owner ? 'smaller' : 'greater';
  }

  async #read(signal: AbortSignal) {
    try {
      return (await this.#options.client.getFetcherState({ params: { adapter: this.#options.adapter }, signal })).body;
    } catch (error) {
      if (error instanceof CallRefused && error.status === 404) return undefined;
      throw error;
    }
  }
}
