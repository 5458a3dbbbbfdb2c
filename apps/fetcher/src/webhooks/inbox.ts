import { hash } from 'node:crypto';
import { type Clock, PostingDenied } from '@shiplog/client';
import { type DeliveryAnswer, fetcherLimits } from '@shiplog/companions';
import { type Problem, unavailable } from '@shiplog/server';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { AuthFailed, PlaceRefused, SourcePaused, ToolAway } from '../tool/refusals.ts';
import { type DeliveryItem, nothing } from './delivery-item.ts';

const retryAfterSeconds = 30;
const stopMs = 3000;

class Cut extends Error {
  readonly reason: 'late' | 'reset' | 'stopped';

  constructor(reason: Cut['reason']) {
    super(`the delivery was interrupted: ${reason}`);
    this.reason = reason;
  }
}

/** An item in progress, identified within its webhook by id and body. */
interface Task {
  /** Each key begins with its kind. */
  readonly keys: readonly string[];
  readonly hook: string;
  readonly item: DeliveryItem;
}

/** Settles each item of a delivery once (fetcher §11.5, §11.6), and holds items during a reset. */
export class Inbox {
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #settled = new Map<string, LRUCache<string, true>>();
  /** Unfinished runs by webhook and key; these promises never reject. */
  readonly #underWay = new Map<string, Promise<unknown>>();
  readonly #runs = new Set<Promise<unknown>>();
  readonly #cuts = new Set<AbortController>();
  #held: Task[] = [];
  #mode: 'open' | 'reset' | 'stopped' = 'open';

  constructor(clock: Clock, log: Logger) {
    this.#clock = clock;
    this.#log = log;
  }

  get queue(): number {
    return this.#runs.size + this.#held.length;
  }

  /** Why deliveries are currently refused; `undefined` if they aren't. */
  get refusal(): Problem | undefined {
    if (this.#mode === 'stopped') return unavailable('The fetcher is shutting down. Deliver this again later.');
    if (this.queue < fetcherLimits.deliveryQueue) return undefined;
    return away('Too many deliveries in progress. Deliver this again later.');
  }

  /** Settles the items that weren't settled before. @throws Problem (503) if the sender must redeliver. */
  async take(hook: string, items: readonly DeliveryItem[]): Promise<DeliveryAnswer> {
    if (this.refusal) throw this.refusal;
    const cut = new AbortController();
    const over = new AbortController();
    void this.#clock.sleep(fetcherLimits.deliveryWaitMs, over.signal).then(() => {
      if (!over.signal.aborted) cut.abort(new Cut('late'));
    });
    this.#cuts.add(cut);
    const answers = await Promise.allSettled(items.map((item) => this.#once(taskOf(hook, item), cut.signal)));
    this.#cuts.delete(cut);
    over.abort();
    return answers.reduce(sum, { accepted: 0, ignored: 0 });
  }

  /** Interrupts and holds all items; resolves when nothing is in progress. */
  async pause(): Promise<void> {
    this.#mode = 'reset';
    this.#cutAll(new Cut('reset'));
    await Promise.all(this.#runs);
  }

  /** Settles the held items; resolves when this is complete or was interrupted again. */
  async resume(): Promise<void> {
    if (this.#mode !== 'reset') return;
    this.#mode = 'open';
    await Promise.all(this.#held.splice(0).map((task) => this.#catchUp(task)));
  }

  /** Refuses new deliveries. Resolves when those in progress are settled, or interrupted after 3 s. */
  async stop(): Promise<void> {
    this.#mode = 'stopped';
    const over = new AbortController();
    await Promise.race([Promise.all(this.#runs), this.#clock.sleep(stopMs, over.signal)]);
    over.abort();
    this.#cutAll(new Cut('stopped'));
    if (this.#held.length > 0) {
      const message = 'dropping deliveries that arrived during a reset; polling will find those of polled sources';
      this.#log.warn({ deliveries: this.#held.length }, message);
    }
  }

  #cutAll(reason: Cut): void {
    for (const cut of this.#cuts) cut.abort(reason);
  }

  /** Settles an item unless it is known. A repeated item waits for the first one. */
  async #once(task: Task, signal: AbortSignal): Promise<DeliveryAnswer> {
    try {
      for (;;) {
        if (this.#isKnown(task)) return nothing;
        const [first] = task.keys.flatMap((key) => this.#underWay.get(task.hook + key) ?? []);
        if (!first) return await this.#settle(task, signal);
        await unlessCut(first, signal);
      }
    } catch (error) {
      return this.#giveUp(task, error);
    }
  }

  async #settle(task: Task, signal: AbortSignal): Promise<DeliveryAnswer> {
    if (this.#mode !== 'open') throw new Cut(this.#mode);
    // A run may take longer than the wait for it. The next run doesn't begin before this one ends.
    const run = task.item.settle(signal);
    const end = run.then(
      () => this.#know(task),
      () => undefined,
    );
    this.#runs.add(end);
    for (const key of task.keys) this.#underWay.set(task.hook + key, end);
    void end.then(() => {
      this.#runs.delete(end);
      for (const key of task.keys) this.#underWay.delete(task.hook + key);
    });
    return unlessCut(run, signal);
  }

  /** @throws Problem, or an error from neither the tool nor the log */
  #giveUp(task: Task, error: unknown): DeliveryAnswer {
    if (error instanceof Cut && error.reason === 'reset') return this.#hold(task);
    if (error instanceof Cut && error.reason === 'stopped') throw away('The fetcher is shutting down.', error);
    if (!isAway(error)) throw error;
    const left = task.item.leaveToPolling?.();
    if (!left) throw away("Can't store this now. Deliver it again later.", error);
    this.#know(task);
    return left;
  }

  #hold(task: Task): DeliveryAnswer {
    if (this.#isKnown(task)) return nothing;
    this.#know(task);
    this.#held.push(task);
    return task.item.expected;
  }

  /** Has no deadline, because the sender already has its response. */
  async #catchUp(task: Task): Promise<void> {
    const cut = new AbortController();
    this.#cuts.add(cut);
    try {
      await this.#settle(task, cut.signal);
    } catch (error) {
      if (error instanceof Cut && error.reason === 'reset') this.#held.push(task);
      else if (!task.item.leaveToPolling?.()) {
        this.#forget(task);
        this.#log.error({ err: error, hook: task.hook }, 'a delivery that arrived during a reset was lost');
      }
    } finally {
      this.#cuts.delete(cut);
    }
  }

  #isKnown({ hook, keys }: Task): boolean {
    return keys.some((key) => this.#remembered(hook, key).get(key) === true);
  }

  #know({ hook, keys }: Task): void {
    for (const key of keys) this.#remembered(hook, key).set(key, true);
  }

  #forget({ hook, keys }: Task): void {
    for (const key of keys) this.#remembered(hook, key).delete(key);
  }

  /** The remembered keys, grouped by webhook and kind of key. */
  #remembered(hook: string, key: string): LRUCache<string, true> {
    const name = `${hook} ${key.slice(0, key.indexOf(' '))}`;
    const known = this.#settled.get(name) ?? new LRUCache<string, true>({ max: fetcherLimits.deliveriesRemembered });
    this.#settled.set(name, known);
    return known;
  }
}

/** Senders choose the length of ids, so digests are stored instead. */
function taskOf(hook: string, item: DeliveryItem): Task {
  const { id, digest } = item;
  const keys = [
    ...(id === undefined ? [] : [`id ${hash('sha256', id, 'base64')}`]),
    ...(digest === undefined ? [] : [`body ${digest}`]),
  ];
  return { keys, hook, item };
}

function sum(total: DeliveryAnswer, answer: PromiseSettledResult<DeliveryAnswer>): DeliveryAnswer {
  if (answer.status === 'rejected') throw answer.reason;
  return { accepted: total.accepted + answer.value.accepted, ignored: total.ignored + answer.value.ignored };
}

function away(detail: string, cause?: unknown): Problem {
  return unavailable(detail, { retryAfterSeconds, cause });
}

/** Whether the tool or the log caused the error, so that a retry may succeed. */
function isAway(error: unknown): boolean {
  return [Cut, AuthFailed, SourcePaused, PlaceRefused, ToolAway, PostingDenied].some((kind) => error instanceof kind);
}

/** The result of a promise; rejects with the signal's reason if the signal is aborted first. */
function unlessCut<Result>(promise: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
