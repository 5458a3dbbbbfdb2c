import type { Stoppable } from '@shiplog/server';
import { pause } from '@shiplog/streams';
import type { Logger } from 'pino';
import type { Connections } from './db/connections.ts';
import type { Queries, Session } from './db/database.ts';
import { DatabaseUnavailable, isConflict, isSilence, isTooLong } from './db/errors.ts';
import { type FoldProgress, foldedEvents, foldProgress } from './db/folds/progress.ts';
import { foldStep, type Step, type StepOptions, stepRowsMax } from './db/folds/step.ts';
import { builtText, paceText, progressText } from './domain/fold-build.ts';
import type { ServiceMetrics } from './metrics.ts';

export interface FoldingTimes {
  /** The shortest and the longest pause after a step, in which events gather. */
  readonly foldPauseMs: number;
  readonly foldPauseMaxMs: number;
  /** How often a step is taken without a notice, for events that were removed. */
  readonly foldPollMs: number;
  /** How often the progress of a long build is logged. */
  readonly foldReportMs: number;
}

export const foldingTimes: FoldingTimes = {
  foldPauseMs: 200,
  foldPauseMaxMs: 1000,
  foldPollMs: 10_000,
  foldReportMs: 30_000,
};

/** A step costs some 20 ms with few events, and a reader waits for a step with all that have gathered. */
const gatheredMax = 1000;

const stopReason = 'the service stops';

interface FoldingOptions {
  /** One connection. */
  readonly connections: Pick<Connections, 'session' | 'leave'>;
  readonly times: FoldingTimes;
  readonly metrics: ServiceMetrics;
  readonly logger: Logger;
}

/** A build of the folds of a long log. */
interface Build {
  readonly startedAt: number;
  readonly begin: FoldProgress;
  readonly reportedAt: number;
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
  #build: Build | undefined;
  #rowsMax = stepRowsMax;
  #hasAllEvents = false;
  #isWoken = true;
  #wake: () => void = () => undefined;

  constructor(options: FoldingOptions) {
    this.#options = options;
  }

  start(): void {
    this.#working = this.#follow();
  }

  /** False while the last step left events for later or another instance was taking it. */
  get hasAllEvents(): boolean {
    return this.#hasAllEvents;
  }

  /** The log has changed. */
  wake(): void {
    this.#isWoken = true;
    this.#wake();
  }

  /** Resolves after a step that started after the call. A long log needs several. */
  async step(): Promise<void> {
    await this.#take(true);
  }

  /** Takes a step and does the work in its snapshot, which has no later events. */
  async stepAnd(work: (queries: Queries) => Promise<void>): Promise<void> {
    await this.#taken({ wait: true, also: work });
  }

  /** A running step is rolled back; it may take longer than the stop may. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#wake();
    this.#options.connections.leave(stopReason);
    await this.#working;
    await this.#step?.catch(() => undefined);
  }

  async #follow(): Promise<void> {
    const { times, logger } = this.#options;
    let logTick = '';
    let pauseMs = times.foldPauseMs;
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
      // While the folds of a long log are built, a quarter of the time is left to posts, if there are any.
      const turn = logTick === step?.logTick ? 0 : (performance.now() - startedAt) / 3;
      logTick = step?.logTick ?? '';
      pauseMs = nextPause(pauseMs, step?.rows ?? 0, times);
      await pause(step?.isFull ? turn : pauseMs, this.#stopping.signal);
    }
  }

  /** Logs the start of a build that takes several steps, its progress from time to time, and its end. */
  async #report({ isFull }: Step): Promise<void> {
    const { connections, times, logger } = this.#options;
    const [build, now] = [this.#build, performance.now()];
    if (isFull ? build && now - build.reportedAt < times.foldReportMs : !build) return;
    const read = await connections.session(async (session) => ({
      ...(await foldProgress(session)),
      events: await foldedEvents(session),
    }));
    const seconds = (now - (build?.startedAt ?? now)) / 1000;
    if (!isFull && build) {
      this.#build = undefined;
      logger.info(`prepared analytics and releases: ${builtText(read.events - build.begin.events, seconds)}`);
    } else if (read.progress) {
      const pace = build ? `, ${paceText(build.begin, read.progress, seconds)}` : '';
      logger.info(`preparing analytics and releases: ${progressText(read.progress)}${pace}`);
      this.#build = { startedAt: now, begin: read.progress, ...build, reportedAt: now };
    }
  }

  async #awaitWake(ms: number): Promise<void> {
    const over = new AbortController();
    this.#wake = () => over.abort();
    if (!this.#isWoken) await pause(ms, AbortSignal.any([over.signal, this.#stopping.signal]));
    this.#wake = () => undefined;
  }

  /** Waiting callers share a step that starts after they arrived. */
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
    if (this.#stopping.signal.aborted) throw new DatabaseUnavailable(stopReason);
    const rowsMax = this.#rowsMax;
    const step = await connections
      .session((session) => stepOrConflict(session, { ...options, rowsMax }))
      .catch((error) => {
        if ((isTooLong(error) || isSilence(error)) && rowsMax > 1) {
          this.#rowsMax = Math.ceil(rowsMax / 4);
          logger.warn(`a step of the folds took too long; adding at most ${this.#rowsMax} events at once`);
        }
        throw error;
      });
    if (step?.isFull) this.#rowsMax = Math.min(stepRowsMax, rowsMax * 2);
    this.#hasAllEvents = step?.isFull === false;
    if (!step) return undefined;
    if (step.rows > 0) metrics.foldSeconds.observe(step.seconds);
    metrics.foldRows.inc(step.rows);
    await this.#report(step).catch((error) => {
      logger.debug({ err: error }, 'the progress of the build could not be read');
    });
    if (step.isRebuild) logger.info('the log was emptied or replaced; rebuilding the figures that follow from it');
    return step;
  }
}

/** The pause in which about `gatheredMax` events arrive, at the rate of the last pause. */
export function nextPause(lastMs: number, rows: number, { foldPauseMs, foldPauseMaxMs }: FoldingTimes): number {
  return Math.max(foldPauseMs, Math.min(foldPauseMaxMs, (lastMs * gatheredMax) / Math.max(1, rows)));
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
