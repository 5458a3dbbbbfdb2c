import type { Logger } from 'pino';
import type { Queries } from './db/database.ts';
import { findRewind, noteRewind } from './db/rewind.ts';
import type { ServiceMetrics } from './metrics.ts';

export interface KnownEndOptions {
  readonly reads: Queries;
  readonly writes: Queries;
  readonly metrics: ServiceMetrics;
  readonly logger: Logger;
}

/**
 * The end of the log as this instance has answered and sent it. Where an event is gone that nobody removed, the log went
 * back: a failover led to a standby that did not have the last events, or somebody restored a backup. That takes
 * connections that are cut, so it is looked for after each cut, and before a stream is opened again.
 */
export class KnownEnd {
  readonly #options: KnownEndOptions;
  #greatest: string | undefined;
  /** What was the end when a connection was cut that no look has begun for; `undefined` = there is none. */
  #doubted: string | undefined;
  /** The look that is under way, or the last one. */
  #looking = Promise.resolve();
  #next: Promise<void> | undefined;

  constructor(options: KnownEndOptions) {
    this.#options = options;
  }

  /** An event was answered or sent. */
  seen(id: string | undefined): void {
    if (id !== undefined && id > (this.#greatest ?? '')) this.#greatest = id;
  }

  /** A connection was cut: the next one may lead to another server. */
  doubt(): void {
    this.#doubted ??= this.#greatest;
  }

  /**
   * Resolves when nothing that was cut before leaves a doubt; rejects while the database does not answer. A look that is
   * under way tells nothing of a connection that was cut after it began.
   */
  settled(): Promise<void> {
    if (this.#doubted === undefined) return this.#looking;
    this.#next ??= this.#looking
      .catch(() => undefined)
      .then(() => {
        this.#next = undefined;
        this.#looking = this.#look();
        return this.#looking;
      });
    return this.#next;
  }

  async #look(): Promise<void> {
    const to = this.#doubted;
    if (to === undefined) return;
    this.#doubted = undefined;
    await this.#lookFor(to).catch((error) => {
      this.#doubted = to;
      throw error;
    });
  }

  async #lookFor(to: string): Promise<void> {
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
