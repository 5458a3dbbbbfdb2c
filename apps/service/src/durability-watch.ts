import type { Logger } from 'pino';
import type { Queries } from './db/database.ts';
import { durabilityWarnings } from './db/durability.ts';
import type { ServiceMetrics } from './metrics.ts';

export interface DurabilityWatchOptions {
  readonly queries: Queries;
  readonly metrics: ServiceMetrics;
  readonly logger: Logger;
}

/** Judges whether the server keeps what is answered, at the start and whenever another server may have taken its place. */
export class DurabilityWatch {
  readonly #options: DurabilityWatchOptions;
  #known: readonly string[] = [];
  #judging: Promise<void> | undefined;

  constructor(options: DurabilityWatchOptions) {
    this.#options = options;
  }

  /** Warns of what it has not warned of before; rejects where the database does not answer. */
  judge(): Promise<void> {
    this.#judging ??= this.#judge().finally(() => {
      this.#judging = undefined;
    });
    return this.#judging;
  }

  async #judge(): Promise<void> {
    const { queries, metrics, logger } = this.#options;
    const warnings = await durabilityWarnings(queries);
    metrics.unsafeSettings.set(warnings.length);
    for (const warning of warnings) if (!this.#known.includes(warning)) logger.warn(warning);
    this.#known = warnings;
  }
}
