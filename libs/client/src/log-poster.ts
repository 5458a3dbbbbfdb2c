import {
  type DeploymentEventIngest,
  headerNames,
  instantKey,
  type Problem,
  parseInstant,
  type Status,
} from '@shiplog/contract';
import { LRUCache } from 'lru-cache';
import { CallRefused, type Client } from './client.ts';
import type { Clock } from './clock.ts';
import { SlotQueue, type SlotTask } from './slot-queue.ts';

/** A change that the log may have already. */
export interface Proposal {
  readonly event: DeploymentEventIngest;
  /** The order of changes at the same instant. */
  readonly order: number;
  /**
   * What makes a stored row the same change: its status and instant, or, where a tool tells no reliable instants, its
   * status alone. In both, `failure`, `cancelled` and `rejected` count as one status.
   */
  readonly identity: 'instant' | 'status';
}

export interface Refusal {
  readonly event: DeploymentEventIngest;
  readonly status: number;
  readonly problem: Problem | undefined;
}

export interface LogPosterOptions {
  readonly client: Pick<Client, 'appendDeployment' | 'listDeployments'>;
  readonly clock: Clock;
  /** A number from 0 to 1, for the jitter of waits. */
  readonly random?: () => number;
  readonly observer?: Partial<LogPosterObserver>;
}

export interface LogPosterObserver {
  /** The service refused an event for what it is (413, 422): it is not posted again by this process. */
  onRefused(refusal: Refusal): void;
  /** It is not known whether an attempt was stored; the log is asked before the next one. */
  onUnknownOutcome(event: DeploymentEventIngest): void;
}

/** What became of a proposal: stored by this call, in the log before, or refused for what it is. */
export type Settled = 'posted' | 'known' | 'refused';

/** The service does not take the key; nothing is posted until `allow` is called. */
export class PostingDenied extends Error {}

const slotsAtOnce = 8;
const knownSetsMax = 20_000;
const pageSize = 500;
const firstWaitMs = 5000;
const waitMsMax = 60_000;
const jitter = 0.2;

/**
 * Posts changes that may be in the log already, each exactly once. Its memory is the log itself: before the first post to
 * a deployment it reads the rows of that deployment, and posts what is not among them. An attempt whose outcome is
 * unknown is not repeated before the log was read anew.
 *
 * Changes of one slot (service and environment) are posted in the order of their instants, several slots at once.
 */
export class LogPoster {
  readonly #options: LogPosterOptions;
  readonly #random: () => number;
  readonly #queue = new SlotQueue<Task>(slotsAtOnce);
  /** By deployment: the keys of its rows, shared by all who ask while they are read. */
  readonly #known = new LRUCache<string, Promise<Set<string>>>({ max: knownSetsMax });
  readonly #underWay = new Set<Promise<unknown>>();
  #cutting = new AbortController();
  #denied: PostingDenied | undefined;

  constructor(options: LogPosterOptions) {
    this.#options = options;
    this.#random = options.random ?? Math.random;
  }

  /**
   * Resolves when every change is settled, in their order; it waits for a service that is away.
   * @throws PostingDenied, or the reason of the signal; what was stored by then is stored.
   */
  async settle(proposals: readonly Proposal[], reporter: string, signal: AbortSignal): Promise<Settled[]> {
    const settled = proposals.map(
      (proposal) =>
        new Promise<Settled>((resolve, reject) => {
          const run = () => this.#post(proposal, reporter, signal).then(resolve, reject);
          this.#queue.add(taskOf(proposal, run));
        }),
    );
    // All of them come to an end before the first failure is told: nothing goes on behind the caller's back.
    await Promise.allSettled(settled);
    return Promise.all(settled);
  }

  /** Posts again after `PostingDenied`. */
  allow(): void {
    this.#denied = undefined;
  }

  /** Forgets what the log has; it is read again before the next post. */
  forget(): void {
    this.#known.clear();
  }

  /** Resolves when no call is under way; those that last longer are cut. For callers whose signals are aborted. */
  async drained(withinMs: number): Promise<void> {
    const over = new AbortController();
    const cutting = this.#cutting;
    void this.#options.clock.sleep(withinMs, over.signal).then(() => {
      if (!over.signal.aborted) cutting.abort(new Error(`not answered within ${withinMs} ms of a stop`));
    });
    await Promise.allSettled(this.#underWay);
    over.abort();
    this.#cutting = new AbortController();
  }

  async #post({ event, identity }: Proposal, reporter: string, signal: AbortSignal): Promise<Settled> {
    const { client, clock, observer } = this.#options;
    const keys = keysOf(event);
    const headers = { [headerNames.progressReporter]: reporter };
    for (let waitMs = firstWaitMs; ; waitMs = Math.min(waitMsMax, 2 * waitMs)) {
      signal.throwIfAborted();
      if (this.#denied) throw this.#denied;
      let failure: unknown;
      const known = await this.#rowsOf(event.deployment_id).catch((error) => {
        failure = error;
      });
      if (known) {
        if (known.has(keys[identity])) return 'known';
        signal.throwIfAborted();
        try {
          await this.#call((cut) => client.appendDeployment({ body: event, headers, signal: cut }));
          await this.#remember(event.deployment_id, keys);
          return 'posted';
        } catch (error) {
          if (error instanceof CallRefused && isForItsContent(error)) {
            await this.#remember(event.deployment_id, keys);
            observer?.onRefused?.({ event, status: error.status, problem: error.problem });
            return 'refused';
          }
          failure = error;
          this.#known.delete(event.deployment_id);
          if (isUnknown(error)) observer?.onUnknownOutcome?.(event);
        }
      }
      if (failure instanceof CallRefused && failure.status === 401) {
        this.#denied ??= new PostingDenied('the service does not take the API key', { cause: failure });
        continue;
      }
      const jittered = waitMs * (1 + jitter * (2 * this.#random() - 1));
      await clock.sleep(retryAfterMs(failure) ?? (waitMs === firstWaitMs ? waitMs : jittered), signal);
    }
  }

  #rowsOf(deploymentId: string): Promise<Set<string>> {
    const held = this.#known.get(deploymentId);
    if (held) return held;
    const read = this.#readRowsOf(deploymentId);
    this.#known.set(deploymentId, read);
    read.catch(() => {
      if (this.#known.peek(deploymentId) === read) this.#known.delete(deploymentId);
    });
    return read;
  }

  /** Into the set that is held by now, which may be another than the one that was looked at before the post. */
  async #remember(deploymentId: string, keys: RowKeys): Promise<void> {
    const held = await this.#known.get(deploymentId)?.catch(() => undefined);
    held?.add(keys.status).add(keys.instant);
  }

  /** The keys of all rows of a deployment. */
  async #readRowsOf(deploymentId: string): Promise<Set<string>> {
    const keys = new Set<string>();
    let cursor: string | undefined;
    do {
      const query = { deployment_id: deploymentId, limit: pageSize, ...(cursor !== undefined && { cursor }) };
      const { body } = await this.#call((signal) => this.#options.client.listDeployments({ query, signal }));
      for (const row of body.items.map(keysOf)) keys.add(row.status).add(row.instant);
      cursor = body.next_cursor ?? undefined;
    } while (cursor !== undefined);
    return keys;
  }

  async #call<Answer>(call: (cut: AbortSignal) => Promise<Answer>): Promise<Answer> {
    const answer = call(this.#cutting.signal);
    this.#underWay.add(answer);
    try {
      return await answer;
    } finally {
      this.#underWay.delete(answer);
    }
  }
}

interface Task extends SlotTask {
  readonly at: string;
  readonly order: number;
}

function taskOf({ event, order }: Proposal, run: () => Promise<void>): Task {
  const at = keyOf(event.happened_at);
  return {
    slot: JSON.stringify([event.service, event.environment]),
    at,
    order,
    before: (other) => at < other.at || (at === other.at && order < other.order),
    run,
  };
}

/** A deployment ends once, whatever name its end has. */
const classes: Readonly<Partial<Record<Status, string>>> = {
  failure: 'unsuccessful',
  cancelled: 'unsuccessful',
  rejected: 'unsuccessful',
};

/** Two spellings of an instant have one key. */
function keyOf(instant: string): string {
  return instantKey(parseInstant(instant) ?? instant);
}

/** What a row is known by, for either identity. */
interface RowKeys {
  readonly status: string;
  readonly instant: string;
}

function keysOf({ status, happened_at }: Pick<DeploymentEventIngest, 'status' | 'happened_at'>): RowKeys {
  const name = classes[status as Status] ?? status;
  return { status: name, instant: `${name} ${keyOf(happened_at)}` };
}

function isForItsContent({ status }: CallRefused): boolean {
  return status === 413 || status === 422;
}

/** A refusal with a status below 500 was not stored; anything else may have been. */
function isUnknown(error: unknown): boolean {
  return !(error instanceof CallRefused) || error.status >= 500;
}

function retryAfterMs(error: unknown): number | undefined {
  if (!(error instanceof CallRefused)) return undefined;
  const seconds = Number(error.headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : undefined;
}
