import { CallRefused, type Client, type Clock } from '@shiplog/client';
import { limits } from '@shiplog/contract';
import { isCount, type Json } from '../change.ts';
import type { BudgetMemory } from '../domain/budget.ts';

/** A paused process resumes after the other process has been silent for this time. */
const standStillMs = 5 * 60_000;
/** The shortest time between two stored cursors within a cycle. */
const putEveryMs = 10_000;

export interface CursorKeeperOptions {
  readonly client: Pick<Client, 'getFetcherState' | 'putFetcherState'>;
  readonly adapter: string;
  /** The id of this process in the cursor: a UUIDv7. */
  readonly owner: string;
  readonly clock: Clock;
  /** The number of requests that count in the current quota window. The cursor keeps it across restarts. */
  readonly quota: { readonly used: BudgetMemory | undefined; restore(used: BudgetMemory): void };
}

/**
 * What the stored cursor says at the beginning of a cycle (fetcher §5.9). If two processes compete, the process
 * with the greater id takes precedence.
 *
 * - `first`: the first cycle of this process, with the memory of the previous process, if any
 * - `own`: no other process has written
 * - `cleared`: the cursor is gone, so the log was cleared
 * - `rival`: a process without precedence has written; this one continues
 * - `paused`: a process with precedence has written within 5 minutes
 * - `taken-over`: that process has been silent for 5 minutes; this one continues with its memory
 */
export type Turn =
  | { readonly kind: 'first' | 'taken-over' | 'cleared'; readonly memory: Json | undefined }
  | { readonly kind: 'own' | 'rival' | 'paused' };

interface Seen {
  readonly updatedAt: string;
  readonly owner: string | undefined;
}

/** Reads and stores the cursor of one source, and detects other processes that use it. */
export class CursorKeeper {
  readonly #options: CursorKeeperOptions;
  /** The cursor as last read from the service; null if there was none. */
  #seen: Seen | null | undefined;
  #pausedSinceMs: number | undefined;
  /** Whether a process without precedence had written the cursor when this one last stored it. */
  #hasRival = false;
  #putMs = Number.NEGATIVE_INFINITY;
  /** The size of the last stored cursor. */
  bytes = 0;

  constructor(options: CursorKeeperOptions) {
    this.#options = options;
  }

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
   * Stores a memory, unless one was stored within 10 seconds and `now` is false. After a failure the next call stores.
   * Never overwrites the cursor of a process with precedence, so that the next turn finds it: otherwise two processes
   * whose cycles run in step would each read only their own cursor. @throws what the client throws.
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

  /** Compares the id of this process with that of another one that has written the cursor meanwhile. */
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

/** The cursor of a source, which is kept between cycles and across processes (fetcher §6). */
export interface Cursor {
  readonly owner: string;
  /** The number of counted requests in the quota window that ends at `resetEpoch`, in seconds. */
  readonly usage: { readonly resetEpoch: number; readonly charged: number };
  readonly memory: Json;
}

/** The size limit for the JSON of a memory, which leaves room for the other fields of a cursor. */
export const memoryBytesMax = 8000;

const currentVersion = 1;
const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

export function cursorText({ owner, usage, memory }: Cursor): string {
  return JSON.stringify({ v: currentVersion, o: owner, u: [usage.resetEpoch, usage.charged], m: memory });
}

/** `undefined` for any text that `cursorText` doesn't write, which counts as absent. */
export function parseCursor(text: string): Cursor | undefined {
  const { v, o, u, m } = membersOf(text);
  if (v !== currentVersion || typeof o !== 'string' || !uuid.test(o) || m === undefined) return undefined;
  if (!Array.isArray(u) || u.length !== 2) return undefined;
  const [resetEpoch, charged]: readonly unknown[] = u;
  return isCount(resetEpoch) && isCount(charged) ? { owner: o, usage: { resetEpoch, charged }, memory: m } : undefined;
}

type Members = Readonly<Partial<Record<'v' | 'o' | 'u' | 'm', Json>>>;

function membersOf(text: string): Members {
  if (Buffer.byteLength(text) > limits.cursorBytes) return {};
  try {
    return (JSON.parse(text) as Members | null) ?? {};
  } catch {
    return {};
  }
}

/** A UUIDv7 that identifies a process in its cursors (fetcher §5.9). */
export function ownerId(nowMs: number, random: Uint8Array): string {
  const bytes = Buffer.concat([Buffer.alloc(6), Buffer.from(random.subarray(0, 10))]);
  bytes.writeUIntBE(nowMs, 0, 6);
  bytes.writeUInt8(0x70 | (bytes.readUInt8(6) & 0x0f), 6);
  bytes.writeUInt8(0x80 | (bytes.readUInt8(8) & 0x3f), 8);
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
