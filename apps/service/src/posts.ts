import { invalid, type Stoppable, unavailable } from '@shiplog/server';
import { Appender } from './appender.ts';
import { type Pin, readPins } from './db/access/pins.ts';
import {
  appendPinned,
  appendWithinSlots,
  GateClosed,
  isGateClosed,
  type ProvenEvent,
  requirePins,
} from './db/append-deployments.ts';
import type { Database } from './db/database.ts';
import { DatabaseUnavailable, isDiskFull, isRefusal } from './db/errors.ts';
import { logMark } from './db/log-mark.ts';
import { trialPost } from './db/trial-post.ts';
import type { KnownEnd } from './known-end.ts';
import type { ServiceMetrics } from './metrics.ts';

interface PostsOptions {
  readonly database: Pick<Database, 'appends' | 'reads'>;
  readonly end: KnownEnd;
  readonly slotsMax: number;
  /** The maximum time between now and a future `happened_at`. `undefined` means no limit. */
  readonly maxFutureHours: number | undefined;
  readonly metrics: ServiceMetrics;
}

const hourMs = 3_600_000;

/** Checks posted deployment events, appends them in batches, and watches for failures. */
export class Posts implements Stoppable {
  readonly health: PostHealth;
  readonly #options: PostsOptions;
  readonly #appender: Appender<ProvenEvent>;
  /** The last known time of the database's clock. */
  #knownMs = 0;

  constructor(options: PostsOptions) {
    const { database, end, slotsMax, metrics } = options;
    this.#options = options;
    this.#appender = new Appender<ProvenEvent>({
      append: async (batch) => {
        const ids = await this.health.watch(appendWithinSlots(database.appends, batch, slotsMax));
        end.seen(ids.findLast((id) => typeof id === 'string'));
        return ids;
      },
      isRefusal,
      overload,
      onBatch: ({ rows, seconds }) => {
        metrics.batchRows.observe(rows);
        metrics.batchSeconds.observe(seconds);
      },
    });
    this.health = new PostHealth({
      oldestSince: () => this.#appender.oldestSince,
      onFailure: () => end.doubt(),
      trial: (needsRoom) => trialPost(database.appends, needsRoom),
    });
  }

  /**
   * Appends an event. Returns its id when the row is committed and flushed.
   * @throws Problem 422 for an event dated too far in the future (reading 8.8).
   */
  async append(event: ProvenEvent): Promise<string> {
    await this.#checkDate(event.happenedAt);
    return this.#appender.append(event);
  }

  /**
   * Appends an event whose token was accepted for names, which must have the same ids as before. Names without ids get
   * them in the transaction of the event, and `onPinned` is called.
   * @throws PinRefused
   */
  async appendPinned(event: ProvenEvent, pins: readonly Pin[], onPinned: () => void): Promise<string> {
    const { appends } = this.#options.database;
    if (pins.length === 0 || requirePins(pins, await readPins(appends, pins))) return this.append(event);
    await this.#checkDate(event.happenedAt);
    const { slotsMax, end } = this.#options;
    const [id = ''] = await this.health.watch(appendPinned(appends, { event, pins, slotsMax }));
    if (typeof id !== 'string') throw id;
    end.seen(id);
    onPinned();
    return id;
  }

  /** @throws GateClosed while a reset clears the log. */
  async requireOpen(): Promise<void> {
    if (await isGateClosed(this.#options.database.appends)) throw new GateClosed('a reset is clearing the log');
  }

  /**
   * Reads the database's clock only if the event exceeds the limit according to the last known time, because time only
   * moves forward.
   */
  async #checkDate(happenedAt: string): Promise<void> {
    const { maxFutureHours, database } = this.#options;
    if (maxFutureHours === undefined) return;
    const latestMs = Date.parse(happenedAt) - maxFutureHours * hourMs;
    if (latestMs <= this.#knownMs) return;
    this.#knownMs = (await logMark(database.reads)).now;
    if (latestMs <= this.#knownMs) return;
    const message = `must not be more than ${maxFutureHours} h ahead of the database's clock (MAX_FUTURE_HOURS)`;
    throw invalid([{ pointer: '/happened_at', message }]);
  }

  /** Resolves when every waiting post is committed. */
  stop(): Promise<void> {
    return this.#appender.drained();
  }
}

/** The error for a post when the queue is full. */
export function overload(): Error {
  return unavailable('Too many posts are waiting for the database. Try again later.', { retryAfterSeconds: 1 });
}

/** Failures shorter than this are ignored. */
const failingMs = 5000;

interface PostHealthOptions {
  /** When the oldest waiting post arrived (a `performance.now` timestamp); `undefined` if none is waiting. */
  readonly oldestSince: () => number | undefined;
  /** Whether a batch failed because of the database or the connection to it. */
  readonly onFailure?: () => void;
  /**
   * Commits a no-op like a post. Rejects if a post would fail.
   * @param needsRoom true if the last failure was a full disk, so that the trial must write new pages.
   */
  readonly trial: (needsRoom: boolean) => Promise<unknown>;
}

/**
 * Tracks whether posts are stored. A database that has a full disk or waits for a standby still serves reads, but posts
 * fail. An instance that is not ready gets no posts, so trial posts detect when posts work again.
 */
export class PostHealth {
  readonly #options: PostHealthOptions;
  #failingSince: number | undefined;
  #lacksRoom = false;
  #trial: Promise<unknown> | undefined;

  constructor(options: PostHealthOptions) {
    this.#options = options;
  }

  /** Waits for a batch and remembers its outcome. */
  async watch<Result>(append: Promise<Result>): Promise<Result> {
    const startedAt = performance.now();
    try {
      const result = await append;
      this.#failingSince = undefined;
      return result;
    } catch (error) {
      if (error instanceof DatabaseUnavailable) {
        this.#failingSince ??= startedAt;
        this.#lacksRoom = isDiskFull(error);
        this.#options.onFailure?.();
      }
      throw error;
    }
  }

  /** How long the oldest pending post has been waiting, in seconds. */
  get oldestSeconds(): number {
    const since = this.#options.oldestSince();
    return since === undefined ? 0 : (performance.now() - since) / 1000;
  }

  /** @throws DatabaseUnavailable if posts have been failing, or a post has been waiting, for more than five seconds. */
  check(): void {
    const since = this.#failingSince;
    const isFailing = since !== undefined && performance.now() - since > failingMs;
    if (isFailing) this.#try();
    if (isFailing || this.oldestSeconds * 1000 > failingMs) throw new DatabaseUnavailable('posts fail');
  }

  #try(): void {
    this.#trial ??= this.watch(this.#options.trial(this.#lacksRoom))
      .catch(() => undefined)
      .finally(() => {
        this.#trial = undefined;
      });
  }
}
