import type { Stoppable } from '@shiplog/server';
import { pause } from '@shiplog/streams';
import type { Logger } from 'pino';
import type { Connections } from './db/connections.ts';
import type { Queries, Session } from './db/database.ts';
import { isConflict } from './db/errors.ts';
import { foldStep, type Step, type StepOptions } from './db/folds/step.ts';
import type { ServiceMetrics } from './metrics.ts';

export interface FoldingTimes {
  /** The pause after a step, in which events gather. */
  readonly foldPauseMs: number;
  /** How often a step is taken without a notice, for events that were removed. */
  readonly foldPollMs: number;
}

export const foldingTimes: FoldingTimes = { foldPauseMs: 200, foldPollMs: 10_000 };

interface FoldingOptions {
  /** One connection. */
  readonly connections: Pick<Connections, 'session' | 'leave'>;
  readonly times: FoldingTimes;
  readonly metrics: ServiceMetrics;
  readonly logger: Logger;
}

/**
 * Keeps the folds up to the end of the log: soon after events arrive, and at once when a reader needs them. Every
 * instance tries; one at a time takes a step.
 */
export class Folding implements Stoppable {
  readonly #options: FoldingOptions;
  readonly #stopping = new AbortController();
  /** The running step. */
  #step: Promise<Step | undefined> | undefined;
  #working: Promise<void> | undefined;
  #isWoken = true;
  #wake: () => void = () => undefined;

  constructor(options: FoldingOptions) {
    this.#options = options;
  }

  start(): void {
    this.#working = this.#follow();
  }

  /** The log has changed. */
  wake(): void {
    this.#isWoken = true;
    this.#wake();
  }

  /** Resolves after a step that has started after the call. A long log needs several. */
  async step(): Promise<void> {
    await this.#take(true);
  }

  /** Takes a step and does the work in its snapshot, which other events can't get ahead of. */
  async stepAnd(work: (queries: Queries) => Promise<void>): Promise<void> {
    await this.#taken({ wait: true, also: work });
  }

  /** A running step is rolled back; it may take longer than a stop is given. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#wake();
    this.#options.connections.leave('the service stops');
    await this.#working;
    await this.#step?.catch(() => undefined);
  }

  async #follow(): Promise<void> {
    const { times, logger } = this.#options;
    while (!this.#stopping.signal.aborted) {
      if (!this.#isWoken) await this.#awaitWake(times.foldPollMs);
      if (this.#stopping.signal.aborted) return;
      this.#isWoken = false;
      const startedAt = performance.now();
      const step = await this.#take(false).catch((error) => {
        logger.debug({ err: error }, 'the folds could not follow the log; retrying');
        return undefined;
      });
      if (step?.isFull) this.#isWoken = true;
      // While the folds of a long log are built, a quarter of the time is left to posts.
      await pause(step?.isFull ? (performance.now() - startedAt) / 3 : times.foldPauseMs, this.#stopping.signal);
    }
  }

  async #awaitWake(ms: number): Promise<void> {
    const over = new AbortController();
    this.#wake = () => over.abort();
    if (!this.#isWoken) await pause(ms, AbortSignal.any([over.signal, this.#stopping.signal]));
    this.#wake = () => undefined;
  }

  /** Callers that wait share a step that starts after they came. */
  async #take(wait: boolean): Promise<Step | undefined> {
    const running = this.#step;
    if (running) await running.catch(() => undefined);
    this.#step ??= this.#taken({ wait }).finally(() => {
      this.#step = undefined;
    });
    return this.#step;
  }

  async #taken(options: StepOptions): Promise<Step | undefined> {
    const { connections, metrics, logger } = this.#options;
    const step = await connections.session((session) => stepOrConflict(session, options));
    if (!step) return undefined;
    if (step.rows > 0) metrics.foldSeconds.observe(step.seconds);
    metrics.foldRows.inc(step.rows);
    if (step.isRebuild) logger.info('the log was emptied or replaced; rebuilding the figures that follow from it');
    return step;
  }
}

/** `undefined` if another instance took a step at the same time. */
async function stepOrConflict(session: Session, options: StepOptions): Promise<Step | undefined> {
  try {
    return await foldStep(session, options);
  } catch (error) {
    if (isConflict(error)) return undefined;
    throw error;
  }
}
