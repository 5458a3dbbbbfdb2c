import { CallRefused, type Client, type Clock, PostingDenied, retryAfterMs } from '@shiplog/client';
import { foldedText } from '@shiplog/component';
import { instantKey, type OutageRequest, type OutageRow } from '@shiplog/contract';

export interface OutagePosterOptions {
  readonly client: Pick<Client, 'getOutage' | 'appendOutage'>;
  readonly clock: Clock;
  /** The new name for each old name of an environment. The old names are in lower case (ASCII). */
  readonly environments: ReadonlyMap<string, string>;
  onResult(hook: string, result: 'posted' | 'known' | 'refused'): void;
  onRefused(row: OutageRequest, refused: CallRefused): void;
  onWait(error: unknown, ms: number): void;
}

const firstWaitMs = 5000;
const waitMsMax = 60_000;

/**
 * Posts the states of outages from webhooks, each once, even if an alert is repeated (outages.md 4). Keeps no state of
 * its own: before every attempt, even after one with an unknown outcome, it reads the outage's rows from the log.
 */
export class OutagePoster {
  readonly #options: OutagePosterOptions;
  /** The last post about each outage, because posts about one outage take turns. */
  readonly #last = new Map<string, Promise<unknown>>();

  constructor(options: OutagePosterOptions) {
    this.#options = options;
  }

  /**
   * Resolves when all rows are settled. Waits while the service is unavailable.
   * @throws PostingDenied if the service rejects the key, or the reason of the signal
   */
  async post(hook: string, rows: readonly OutageRequest[], signal: AbortSignal): Promise<void> {
    const posts = rows.map((row) => this.#inTurn(this.#renamed(row), signal));
    await Promise.allSettled(posts);
    for (const result of await Promise.all(posts)) this.#options.onResult(hook, result);
  }

  #renamed(row: OutageRequest): OutageRequest {
    const { environments } = row;
    if (!environments) return row;
    const renamed = environments.map((name) => this.#options.environments.get(foldedText(name)) ?? name);
    return { ...row, environments: [...new Set(renamed)] };
  }

  async #inTurn(row: OutageRequest, signal: AbortSignal): Promise<'posted' | 'known' | 'refused'> {
    const key = `${row.source}/${row.outage_id}`;
    const before = this.#last.get(key);
    const post = (async () => {
      await before?.catch(() => undefined);
      return this.#settle(row, signal);
    })();
    this.#last.set(key, post);
    try {
      return await post;
    } finally {
      if (this.#last.get(key) === post) this.#last.delete(key);
    }
  }

  async #settle(row: OutageRequest, signal: AbortSignal): Promise<'posted' | 'known' | 'refused'> {
    const { client, clock, onRefused, onWait } = this.#options;
    for (let waitMs = firstWaitMs; ; waitMs = Math.min(waitMsMax, 2 * waitMs)) {
      signal.throwIfAborted();
      try {
        if (isTold(row, await this.#rows(row, signal))) return 'known';
        await client.appendOutage({ body: row, signal });
        return 'posted';
      } catch (error) {
        signal.throwIfAborted();
        const status = error instanceof CallRefused ? error.status : undefined;
        if (status === 401 || status === 403) {
          throw new PostingDenied('the service rejects the API key, or the key may not report outages', {
            cause: error,
          });
        }
        if (error instanceof CallRefused && (status === 413 || status === 422)) {
          onRefused(row, error);
          return 'refused';
        }
        const sleepMs = retryAfterMs(error) ?? waitMs;
        onWait(error, sleepMs);
        await clock.sleep(sleepMs, signal);
      }
    }
  }

  async #rows({ source, outage_id }: OutageRequest, signal: AbortSignal): Promise<readonly OutageRow[]> {
    try {
      return (await this.#options.client.getOutage({ params: { source, outage_id }, signal })).body.rows;
    } catch (error) {
      if (error instanceof CallRefused && error.status === 404) return [];
      throw error;
    }
  }
}

/** Whether the latest row up to this row's time already has its state. */
function isTold(row: OutageRequest, rows: readonly OutageRow[]): boolean {
  const at = instantKey(row.happened_at);
  return rows.findLast(({ happened_at }) => instantKey(happened_at) <= at)?.state === row.state;
}
