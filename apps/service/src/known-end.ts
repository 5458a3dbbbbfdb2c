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
 * The last event that this instance has acknowledged or sent. If the event is missing without having been removed, the
 * log has gone backwards: after a failover to a standby without the last events, or a restored backup. Both cut
 * connections, so the check runs after each cut and before a stream is opened.
 */
export class KnownEnd {
  readonly #options: KnownEndOptions;
  #greatest: string | undefined;
  /** The end when a connection was cut, until a check for it starts; `undefined` if none is due. */
  #doubted: string | undefined;
  /** The running check, or the last one. */
  #checking = Promise.resolve();
  #next: Promise<void> | undefined;

  constructor(options: KnownEndOptions) {
    this.#options = options;
  }

  /** An event was acknowledged or sent. */
  seen(id: string | undefined): void {
    if (id !== undefined && id > (this.#greatest ?? '')) this.#greatest = id;
  }

  /** A connection was cut; the next one may reach another server. */
  doubt(): void {
    this.#doubted ??= this.#greatest;
  }

  /**
   * Resolves when all earlier cuts are checked; rejects while the database does not answer. A running check does not
   * cover connections that were cut after it started.
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
