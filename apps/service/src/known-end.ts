import type { Logger } from 'pino';
import type { Queries } from './db/database.ts';
import { findRewind, noteRewind } from './db/rewind.ts';
import type { ServiceMetrics } from './metrics.ts';

interface KnownEndOptions {
  readonly reads: Queries;
  readonly writes: Queries;
  readonly metrics: ServiceMetrics;
  readonly logger: Logger;
}

/**
 * The last event that this instance has acknowledged or sent. If the event is missing but was not removed, the log has
 * gone back, either after a failover to a standby without the last events or because a backup was restored. Both cut
 * connections, so the check runs after each lost connection and before a stream is opened.
 */
export class KnownEnd {
  readonly #options: KnownEndOptions;
  #greatest: string | undefined;
  /**
   * The last event at the time when a connection was lost, until a check for it starts; `undefined` if no check is due.
   */
  #doubted: string | undefined;
  /** The running check or the last check. */
  #checking = Promise.resolve();
  #next: Promise<void> | undefined;

  constructor(options: KnownEndOptions) {
    this.#options = options;
  }

  /** Called when an event was acknowledged or sent. */
  seen(id: string | undefined): void {
    if (id !== undefined && id > (this.#greatest ?? '')) this.#greatest = id;
  }

  /** Called when a connection was lost. The next one may lead to another server. */
  doubt(): void {
    this.#doubted ??= this.#greatest;
  }

  /**
   * Resolves when the checks for all earlier connection losses are done. Rejects while the database does not respond. A
   * running check does not cover connections that were lost after it started.
   */
  settled(): Promise<void> {
    if (this.#doubted === undefined) return this.#checking;
    this.#next ??= this.#checking
      .catch(() => undefined)
      .then(() => {
        this.#next = undefined;
        this.#checking = this.#check();
        return this.#checking;
      });
    return this.#next;
  }

  async #check(): Promise<void> {
    const to = this.#doubted;
    if (to === undefined) return;
    this.#doubted = undefined;
    await this.#checkFor(to).catch((error) => {
      this.#doubted = to;
      throw error;
    });
  }

  async #checkFor(to: string): Promise<void> {
    const { reads, writes, metrics, logger } = this.#options;
    const rewind = await findRewind(reads, to);
    if (!rewind) return;
    await noteRewind(writes, rewind);
    if (this.#greatest === to) this.#greatest = rewind.from;
    if (this.#doubted === to) this.#doubted = rewind.from;
    metrics.rewinds.inc();
    logger.error(
      rewind,
      'the log went back: events that were already answered or sent are missing; a failover has lost them',
    );
  }
}
