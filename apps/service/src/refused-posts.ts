import type { Stoppable } from '@shiplog/server';
import type { Logger } from 'pino';
import type { Queries } from './db/database.ts';
import { addRefusedPosts } from './db/refused-posts.ts';

interface RefusalCountOptions {
  readonly writes: Queries;
  /** How long counts are collected before they are stored. */
  readonly afterMs: number;
  readonly logger: Logger;
}

/** Counts rejected posts for all instances. Even a flood of them costs only one statement per second. */
export class RefusalCount implements Stoppable {
  readonly #options: RefusalCountOptions;
  #counts = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;
  #storing: Promise<void> = Promise.resolve();

  constructor(options: RefusalCountOptions) {
    this.#options = options;
  }

  count(reason: string, posts = 1): void {
    this.#counts.set(reason, (this.#counts.get(reason) ?? 0) + posts);
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#storing = this.#storing.then(() => this.#store());
    }, this.#options.afterMs);
  }

  /** Stores the remaining counts. */
  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#storing;
    await this.#store();
    clearTimeout(this.#timer);
  }

  async #store(): Promise<void> {
    const counts = this.#counts;
    if (counts.size === 0) return;
    this.#counts = new Map();
    try {
      await addRefusedPosts(this.#options.writes, counts);
    } catch (error) {
      this.#options.logger.debug({ err: error }, 'the counts of refused posts could not be stored; retrying');
      for (const [reason, posts] of counts) this.count(reason, posts);
    }
  }
}
