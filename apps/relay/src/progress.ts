import { answeredStatus, type Client, type Clock } from '@shiplog/client';
import { nilId } from '@shiplog/contract';
import { backoffMs } from '@shiplog/streams';
import type { Logger } from 'pino';
import { Backlog, type BacklogBounds } from './domain/backlog.ts';
import {
  isReference,
  newsMax,
  readMemory,
  stuckMax,
  type TargetMemory,
  threadsMax,
  writeMemory,
} from './domain/cursor.ts';
import type { EventMessage } from './domain/message.ts';
import type { NewsMessage } from './domain/news.ts';

export interface ProgressOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly log: Logger;
  /** The name of the target. */
  readonly target: string;
  readonly bounds: BacklogBounds;
}

/** How often the position is stored while nothing is sent. */
const quietStoreMs = 30_000;
/** Enough for all the news that appears within the maximum age of messages. */
const newsKept = 1000;
/** How long a restart waits for the position to be stored. */
const restartStoreMs = 1000;

/** A target's progress in the log: its waiting messages, and its state across restarts. */
export class Progress {
  readonly backlog: Backlog;
  readonly #clock: Clock;
  readonly #keeper: PositionKeeper;
  readonly #threads = new Map<string, string>();
  /** Rows that were or will be reported as stuck. The first `#stuckSettled` of them are settled. */
  #stuck: string[] = [];
  #stuckSettled = 0;
  /** News that was or will be sent, and the settled part of it; `undefined` before the first check. */
  #news: string[] | undefined;
  #newsSettled: readonly string[] | undefined;
  /** `undefined` until the state is read. */
  #seen: string | undefined;
  #storedMs = 0;
  /** The head of the log when following began; more old events may arrive until then. */
  #expected = nilId;

  constructor(options: ProgressOptions) {
    this.backlog = new Backlog(options.bounds);
    this.#clock = options.clock;
    this.#keeper = new PositionKeeper(options);
  }

  get seen(): string {
    return this.#seen ?? nilId;
  }

  get isBehind(): boolean {
    return this.seen < this.#expected;
  }

  /** Reads the stored state; a target without one begins at the head. @throws if the service is unreachable. */
  async load(head: () => Promise<string>, signal: AbortSignal): Promise<void> {
    if (this.#seen !== undefined) return;
    const memory = await this.#keeper.load(signal);
    if (memory) {
      this.backlog.remember(memory.recent);
      for (const [key, thread] of memory.threads) this.#threads.set(key, thread);
      this.#stuck = [...memory.stuck];
      this.#stuckSettled = this.#stuck.length;
      this.#news = memory.news && [...memory.news];
      this.#newsSettled = memory.news;
    }
    this.#seen = memory?.position ?? (await head());
    if (!memory) this.store();
  }

  expect(head: string): void {
    this.#expected = head;
  }

  /** Stops waiting for old events that never arrive because they were pruned. */
  stopExpecting(): void {
    this.#expected = this.seen;
  }

  /** Records an event as processed; its message, if any, waits to be sent. */
  take(id: string, message: EventMessage | undefined, arrivedMs: number): void {
    const before = this.seen;
    this.#seen = id;
    if (message) this.backlog.add(message, arrivedMs, { before, nowMs: this.#nowMs });
    else if (this.#nowMs - this.#storedMs >= quietStoreMs) this.store();
  }

  isKnownStuck(id: string): boolean {
    return this.#stuck.includes(id);
  }

  /** `undefined` for a message that is too old to be sent. */
  takeStuck(id: string, message: EventMessage | undefined, sinceMs: number): void {
    this.#stuck.push(id);
    if (message) this.backlog.add(message, sinceMs, { before: this.seen, nowMs: this.#nowMs });
  }

  /** Whether the target has checked for news before. What exists at its first check is not news. */
  get hasNews(): boolean {
    return this.#news !== undefined;
  }

  isKnownNews(id: string): boolean {
    return this.#news?.includes(id) ?? false;
  }

  /** `undefined` for news that is not sent. */
  takeNews(id: string, message: NewsMessage | undefined): void {
    this.#news = [...(this.#news ?? []), id].slice(-newsKept);
    if (message) this.backlog.addNews(message, this.seen);
  }

  /** Ends the first check. */
  beginNews(): void {
    this.#news ??= [];
    this.#newsSettled ??= [];
    this.store();
  }

  threadOf(key: string): string | undefined {
    return this.#threads.get(key);
  }

  rememberThread(key: string, thread: unknown): void {
    if (!isReference(thread)) return;
    this.#threads.delete(key);
    this.#threads.set(key, thread);
    const [oldest = ''] = this.#threads.keys();
    if (this.#threads.size > threadsMax) this.#threads.delete(oldest);
  }

  store(): void {
    if (this.backlog.count === 0) {
      this.#stuckSettled = this.#stuck.length;
      this.#newsSettled = this.#news;
    }
    this.#storedMs = this.#nowMs;
    this.#keeper.store({
      position: this.backlog.position ?? this.seen,
      recent: this.backlog.recent(this.#nowMs),
      threads: this.#threads,
      stuck: this.#stuck.slice(0, this.#stuckSettled).slice(-stuckMax),
      news: this.#newsSettled?.slice(-newsMax),
    });
  }

  /** Nothing is stored after this resolves; a request in flight is abandoned after `drainMs`. */
  async halt({ drainMs, store }: { readonly drainMs: number; readonly store: boolean }): Promise<void> {
    if (store && this.#seen !== undefined) this.store();
    await this.#keeper.halt(drainMs);
  }

  /** The log was cleared. Resolves when the new position is stored, or after a second. */
  async restart(position: string): Promise<void> {
    this.backlog.clear();
    this.#threads.clear();
    this.#stuck = [];
    this.#seen = position;
    this.store();
    await this.#keeper.stored(restartStoreMs);
  }

  get #nowMs(): number {
    return this.#clock.now().getTime();
  }
}

/** One target's entry in the service's fetcher state, `relay-<name>`; the last stored state wins. */
class PositionKeeper {
  readonly #options: ProgressOptions;
  readonly #adapter: string;
  #next: TargetMemory | undefined;
  #storing: Promise<void> | undefined;
  #stopping = new AbortController();

  constructor(options: ProgressOptions) {
    this.#options = options;
    this.#adapter = `relay-${options.target}`;
  }

  /** `undefined` if no readable state is stored. @throws if the service is unreachable. */
  async load(signal: AbortSignal): Promise<TargetMemory | undefined> {
    try {
      const { body } = await this.#options.client.getFetcherState({ params: { adapter: this.#adapter }, signal });
      return readMemory(body.cursor);
    } catch (error) {
      if (answeredStatus(error) === 404) return undefined;
      throw error;
    }
  }

  /** Stores at once, or as soon as the service accepts it. */
  store(memory: TargetMemory): void {
    this.#next = memory;
    this.#storing ??= this.#storeAll().finally(() => {
      this.#storing = undefined;
    });
  }

  /** Resolves when the last memory is stored, or after `ms`. */
  async stored(ms: number): Promise<void> {
    const over = new AbortController();
    if (this.#storing) await Promise.race([this.#storing, this.#options.clock.sleep(ms, over.signal)]);
    over.abort();
  }

  /** Nothing is stored after this resolves; a request in flight is abandoned after `ms`. */
  async halt(ms: number): Promise<void> {
    await this.stored(ms);
    this.#stopping.abort();
    await this.#storing;
    this.#next = undefined;
    this.#stopping = new AbortController();
  }

  async #storeAll(): Promise<void> {
    const { client, clock, log } = this.#options;
    const { signal } = this.#stopping;
    for (let failures = 0; this.#next && !signal.aborted; ) {
      const memory = this.#next;
      try {
        const request = { params: { adapter: this.#adapter }, body: { cursor: writeMemory(memory) }, signal };
        await client.putFetcherState(request);
        failures = 0;
        if (this.#next === memory) this.#next = undefined;
      } catch (error) {
        if (signal.aborted) return;
        if (failures === 0) log.warn({ err: error }, 'the position could not be stored; trying again');
        await clock.sleep(backoffMs(failures, { minMs: 1000, maxMs: 60_000 }), signal);
        failures += 1;
      }
    }
  }
}
