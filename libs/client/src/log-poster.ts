import {
  type DeploymentEvent,
  type DeploymentEventIngest,
  headerNames,
  instantKey,
  type Problem,
  parseInstant,
  type Status,
} from '@shiplog/contract';
import { LRUCache } from 'lru-cache';
import { CallRefused, type Client, pagesOf } from './client.ts';
import type { Clock } from './clock.ts';
import { SlotQueue, type SlotTask } from './slot-queue.ts';

/** A change that may already be in the log. */
export interface Proposal {
  readonly event: DeploymentEventIngest;
  /** Sorts changes that have the same time. */
  readonly order: number;
  readonly identity: Identity;
  /** Whether the change is known to be missing from the log. If so, the first attempt doesn't check the log. */
  readonly isFresh?: boolean;
  /** Which of several equal changes this is, starting at 1 (the default). A copied log may have a row twice. */
  readonly copy?: number;
}

/**
 * How a change is matched with stored rows of the same deployment. `instant`: by status and time. `status`: by status
 * only, for tools without reliable times. For both, `failure`, `cancelled` and `rejected` count as the same status.
 * `row`: by service, environment, status and time, for deployments with several slots.
 */
export type Identity = 'instant' | 'status' | 'row';

export interface Refusal {
  readonly event: DeploymentEventIngest;
  readonly status: number;
  readonly problem: Problem | undefined;
}

export interface LogPosterOptions {
  readonly client: Pick<Client, 'appendDeployment' | 'listDeployments'>;
  readonly clock: Clock;
  /** The identities that changes may have. The default is `instant` and `status`. */
  readonly identities?: readonly Identity[];
  /** Whether the service will never accept a rejected event. By default, true if its content is invalid (413, 422). */
  readonly isFinal?: (refused: CallRefused) => boolean;
  readonly random?: () => number;
  readonly observer?: Partial<LogPosterObserver>;
}

export interface LogPosterObserver {
  onStored(event: DeploymentEventIngest, stored: DeploymentEvent): void;
  /** Called when the service permanently rejects an event; this process doesn't post it again. */
  onRefused(refusal: Refusal): void;
  /** Called when the outcome of an attempt is unknown. The log is checked before the next attempt. */
  onUnknownOutcome(event: DeploymentEventIngest): void;
  /** Called when the service is unavailable. The poster retries after the given number of milliseconds. */
  onWait(error: unknown, ms: number): void;
}

/** The outcome of a proposed change: stored by this call, already in the log, or permanently rejected. */
export type Settled = 'posted' | 'known' | 'refused';

/** Thrown if the service rejects the key. No event is posted until `allow` is called. */
export class PostingDenied extends Error {}

const slotsAtOnce = 8;
const knownSetsMax = 20_000;
const pageSize = 500;
const firstWaitMs = 5000;
const waitMsMax = 60_000;
const jitter = 0.2;

/**
 * Posts each change exactly once, even if it may already be in the log. The log is the only state: before the first
 * post to a deployment, the poster reads its rows and posts only what is missing. After an attempt with an unknown
 * outcome, it reads the log again before the next attempt.
 *
 * Posts the changes of one slot (service and environment) in chronological order, and several slots in parallel.
 */
export class LogPoster {
  readonly #options: LogPosterOptions;
  readonly #random: () => number;
  readonly #identities: readonly Identity[];
  readonly #isFinal: (refused: CallRefused) => boolean;
  readonly #queue = new SlotQueue<Task>(slotsAtOnce);
  /** For each deployment, the number of rows per key. Concurrent callers share one read. */
  readonly #known = new LRUCache<string, Promise<Map<string, number>>>({ max: knownSetsMax });
  readonly #inProgress = new Set<Promise<unknown>>();
  #cutting = new AbortController();
  #denied: PostingDenied | undefined;

  constructor(options: LogPosterOptions) {
    this.#options = options;
    this.#random = options.random ?? Math.random;
    this.#identities = options.identities ?? ['instant', 'status'];
    this.#isFinal = options.isFinal ?? isForItsContent;
  }

  /**
   * Resolves with the outcomes, in order, when every change is settled. Waits while the service is unavailable. @throws
   * PostingDenied, or the reason of the signal. Changes that were stored before the error remain stored.
   */
  async settle(proposals: readonly Proposal[], reporter: string, signal: AbortSignal): Promise<Settled[]> {
    const settled = proposals.map(
      (proposal) =>
        new Promise<Settled>((resolve, reject) => {
          const run = () => this.#post(proposal, reporter, signal).then(resolve, reject);
          this.#queue.add(taskOf(proposal, run));
        }),
    );
    // Wait for all tasks before rejecting, so that none is still running when the call ends.
    await Promise.allSettled(settled);
    return Promise.all(settled);
  }

  allow(): void {
    this.#denied = undefined;
  }

  /** Clears the cached rows. The next post reads them again. */
  forget(): void {
    this.#known.clear();
  }

  /** Resolves when no call is in progress, and aborts calls that take too long. For use after an abort. */
  async drained(withinMs: number): Promise<void> {
    const over = new AbortController();
    const cutting = this.#cutting;
    void this.#options.clock.sleep(withinMs, over.signal).then(() => {
      if (!over.signal.aborted) cutting.abort(new Error(`not answered within ${withinMs} ms of a stop`));
    });
    await Promise.allSettled(this.#inProgress);
    over.abort();
    this.#cutting = new AbortController();
  }

  async #post(
    { event, identity, isFresh, copy = 1 }: Proposal,
    reporter: string,
    signal: AbortSignal,
  ): Promise<Settled> {
    const { clock, observer } = this.#options;
    let isChecked = isFresh ?? false;
    for (let waitMs = firstWaitMs; ; waitMs = Math.min(waitMsMax, 2 * waitMs)) {
      signal.throwIfAborted();
      if (this.#denied) throw this.#denied;
      let failure: unknown;
      try {
        if (!isChecked && ((await this.#rowsOf(event.deployment_id)).get(keyOf[identity](event)) ?? 0) >= copy)
          return 'known';
        isChecked = false;
        signal.throwIfAborted();
        await this.#append(event, copy, reporter);
        return 'posted';
      } catch (error) {
        if (signal.aborted && error === signal.reason) throw error;
        failure = error;
      }
      if (this.#isRefusal(failure)) {
        await this.#remember(event, copy);
        observer?.onRefused?.({ event, status: failure.status, problem: failure.problem });
        return 'refused';
      }
      if (failure instanceof CallRefused && failure.status === 401) {
        this.#denied ??= new PostingDenied('the service rejects the API key', { cause: failure });
        continue;
      }
      const jittered = waitMs * (1 + jitter * (2 * this.#random() - 1));
      const sleepMs = retryAfterMs(failure) ?? (waitMs === firstWaitMs ? waitMs : jittered);
      observer?.onWait?.(failure, sleepMs);
      await clock.sleep(sleepMs, signal);
    }
  }

  async #append(event: DeploymentEventIngest, copy: number, reporter: string): Promise<void> {
    const { client, observer } = this.#options;
    const headers = { [headerNames.progressReporter]: reporter };
    try {
      const { body } = await this.#call((cut) => client.appendDeployment({ body: event, headers, signal: cut }));
      await this.#remember(event, copy);
      observer?.onStored?.(event, body);
    } catch (error) {
      if (!this.#isRefusal(error)) this.#known.delete(event.deployment_id);
      if (isUnknown(error)) observer?.onUnknownOutcome?.(event);
      throw error;
    }
  }

  #isRefusal(error: unknown): error is CallRefused {
    return error instanceof CallRefused && this.#isFinal(error);
  }

  #rowsOf(deploymentId: string): Promise<Map<string, number>> {
    const cached = this.#known.get(deploymentId);
    if (cached) return cached;
    const read = this.#readRowsOf(deploymentId);
    this.#known.set(deploymentId, read);
    read.catch(() => {
      if (this.#known.peek(deploymentId) === read) this.#known.delete(deploymentId);
    });
    return read;
  }

  /** Adds the row to the current cache entry, which may have been replaced during the post. */
  async #remember(event: DeploymentEventIngest, copy: number): Promise<void> {
    const cached = await this.#known.get(event.deployment_id)?.catch(() => undefined);
    for (const key of this.#keysOf(event)) cached?.set(key, Math.max(copy, cached.get(key) ?? 0));
  }

  async #readRowsOf(deploymentId: string): Promise<Map<string, number>> {
    const keys = new Map<string, number>();
    const pages = pagesOf(async (cursor) => {
      const query = { deployment_id: deploymentId, limit: pageSize, cursor };
      return (await this.#call((signal) => this.#options.client.listDeployments({ query, signal }))).body;
    });
    for await (const { items } of pages) {
      for (const key of items.flatMap((row) => this.#keysOf(row))) keys.set(key, (keys.get(key) ?? 0) + 1);
    }
    return keys;
  }

  #keysOf(row: KeyedRow): string[] {
    return this.#identities.map((identity) => keyOf[identity](row));
  }

  async #call<Answer>(call: (cut: AbortSignal) => Promise<Answer>): Promise<Answer> {
    const answer = call(this.#cutting.signal);
    this.#inProgress.add(answer);
    try {
      return await answer;
    } finally {
      this.#inProgress.delete(answer);
    }
  }
}

interface Task extends SlotTask {
  readonly at: string;
  readonly order: number;
}

function taskOf({ event, order }: Proposal, run: () => Promise<void>): Task {
  const at = instantOf(event.happened_at);
  return {
    slot: JSON.stringify([event.service, event.environment]),
    at,
    order,
    before: (other) => at < other.at || (at === other.at && order < other.order),
    run,
  };
}

/** A deployment ends only once, so all final statuses are equivalent. */
const classes: Readonly<Partial<Record<Status, string>>> = {
  failure: 'unsuccessful',
  cancelled: 'unsuccessful',
  rejected: 'unsuccessful',
};

/** Equal times have equal keys even if their formats differ. */
function instantOf(instant: string): string {
  return instantKey(parseInstant(instant) ?? instant);
}

type KeyedRow = Pick<DeploymentEventIngest, 'service' | 'environment' | 'status' | 'happened_at'>;

/** The key that identifies a row within its deployment, depending on the identity. */
export const keyOf: Readonly<Record<Identity, (row: KeyedRow) => string>> = {
  status: ({ status }) => classOf(status),
  instant: ({ status, happened_at }) => `${classOf(status)} ${instantOf(happened_at)}`,
  row: ({ service, environment, status, happened_at }) =>
    JSON.stringify([service, environment, status, instantOf(happened_at)]),
};

function classOf(status: Status): string {
  return classes[status] ?? status;
}

function isForItsContent({ status }: CallRefused): boolean {
  return status === 413 || status === 422;
}

/** A response below 500 means that the event was not stored. After any other error, it may have been stored. */
function isUnknown(error: unknown): boolean {
  return !(error instanceof CallRefused) || error.status >= 500;
}

/** How long the service asks to wait, if it does. */
export function retryAfterMs(error: unknown): number | undefined {
  if (!(error instanceof CallRefused)) return undefined;
  const seconds = Number(error.headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : undefined;
}
