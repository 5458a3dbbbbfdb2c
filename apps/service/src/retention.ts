import type { Stoppable } from '@shiplog/server';
import { pause } from '@shiplog/streams';
import type { Logger } from 'pino';
import { pruneActs } from './db/access/acts.ts';
import type { Sessions } from './db/database.ts';
import { pruneHolds } from './db/holds.ts';
import { asOnlyOne } from './db/only-one.ts';
import { pruneOutages } from './db/outages.ts';
import { pruneEvents, pruneLockKey, pruneRun, purgedLogs, purgeLog } from './db/retention.ts';
import { isConfirmed, type PruneDoubt, type PruneRun, pruneDoubt } from './domain/prune-doubt.ts';
import type { ServiceMetrics } from './metrics.ts';

export interface RetentionTimes {
  /** The delay from the start to the first pruning and purge. */
  readonly firstMs: number;
  readonly pruneEveryMs: number;
  readonly purgeEveryMs: number;
}

export const retentionTimes: RetentionTimes = {
  firstMs: 10_000,
  pruneEveryMs: 24 * 3_600_000,
  purgeEveryMs: 5 * 60_000,
};

interface RetentionOptions {
  readonly writes: Sessions;
  readonly retentionDays: number;
  /** The value of `PRUNE_CONFIRM`. */
  readonly confirmed: number | undefined;
  readonly times: RetentionTimes;
  readonly metrics: ServiceMetrics;
  readonly logger: Logger;
}

const pruneRowsMax = 1000;
const purgeRowsMax = 10_000;
/** A batch blocks appends, so it is followed by a pause of this many times its duration. */
const pauseFactor = 12;

/**
 * Removes old rows (reading 8.5). Events beyond the retention are removed soon after the start and then daily, in
 * batches and on one instance at a time. Every few minutes, control frames and component events older than two hours
 * are removed.
 */
export class Retention implements Stoppable {
  readonly #options: RetentionOptions;
  readonly #stopping = new AbortController();
  #working: Promise<unknown> | undefined;

  constructor(options: RetentionOptions) {
    this.#options = options;
  }

  start(): void {
    const { pruneEveryMs, purgeEveryMs } = this.#options.times;
    this.#working = Promise.all([
      this.#repeat(() => this.#prune(), pruneEveryMs),
      this.#repeat(() => this.#purge(), purgeEveryMs),
    ]);
  }

  /** Resolves when the running batch has ended. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#working;
  }

  /** Runs a task after a delay and then at intervals. Retries a failed run sooner. */
  async #repeat(task: () => Promise<void>, everyMs: number): Promise<void> {
    const { times, logger } = this.#options;
    let waitMs = times.firstMs;
    while (!this.#stopped) {
      await pause(waitMs, this.#stopping.signal);
      if (this.#stopped) return;
      waitMs = everyMs;
      await task().catch((error) => {
        waitMs = Math.min(everyMs, times.purgeEveryMs);
        if (error instanceof PruneRefused) logger.error(error.run, error.message);
        else logger.warn({ err: error }, 'old rows could not be removed; retrying in a few minutes');
      });
    }
  }

  get #stopped(): boolean {
    return this.#stopping.signal.aborted;
  }

  async #prune(): Promise<void> {
    const { writes, retentionDays, metrics, logger } = this.#options;
    let pruned = 0;
    let refusal: Error | undefined;
    await writes.session((session) =>
      asOnlyOne(session, pruneLockKey, async () => {
        refusal = this.#refusalOf(await pruneRun(session, retentionDays));
        while (!refusal && !this.#stopped) {
          const startedAt = performance.now();
          const count = await pruneEvents(session, { retentionDays, rowsMax: pruneRowsMax });
          pruned += count;
          metrics.prunedEvents.inc(count);
          if (count < pruneRowsMax) metrics.pruneCompleted.setToCurrentTime();
          if (count < pruneRowsMax || this.#stopped) break;
          await pause((performance.now() - startedAt) * pauseFactor, this.#stopping.signal);
        }
      }),
    );
    // Acts are kept as long as events.
    await writes.session((session) => pruneActs(session, retentionDays));
    await writes.session((session) => pruneHolds(session, retentionDays));
    await writes.session((session) => pruneOutages(session, retentionDays));
    if (refusal) throw refusal;
    if (pruned > 0) logger.info({ pruned, retentionDays }, 'pruned events older than the retention period');
  }

  /** If the clock jumped ahead, all rows look old. Pruning can't be undone, so a doubtful run must be confirmed. */
  #refusalOf(run: PruneRun | undefined): PruneRefused | undefined {
    const { confirmed, metrics } = this.#options;
    const doubt = run && !isConfirmed(run.rows, confirmed) ? pruneDoubt(run) : undefined;
    metrics.pruneRefused.set(run && doubt ? run.rows : 0);
    return run && doubt ? new PruneRefused(run, doubt) : undefined;
  }

  async #purge(): Promise<void> {
    const { writes, metrics } = this.#options;
    for (const log of purgedLogs) {
      let count = purgeRowsMax;
      while (count === purgeRowsMax && !this.#stopped) {
        count = await purgeLog(writes, log, purgeRowsMax);
        metrics.purgedRows.inc({ log }, count);
      }
    }
  }
}

const whyDoubtful: Readonly<Record<PruneDoubt, string>> = {
  'clock-ahead': "no event has arrived for more than 48 hours by the database's clock, which may have jumped ahead",
  'most-of-log': 'that is more than half of the log',
};

class PruneRefused extends Error {
  readonly run: PruneRun;

  constructor(run: PruneRun, doubt: PruneDoubt) {
    super(
      `pruning refused: it would remove ${run.rows} of ${run.total} events, and ${whyDoubtful[doubt]}; check the clock and HISTORY_RETENTION_DAYS, or confirm with PRUNE_CONFIRM=${run.rows}`,
    );
    this.run = run;
  }
}
