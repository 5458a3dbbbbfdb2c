import type { Stoppable } from '@shiplog/server';
import type { Logger } from 'pino';
import type { Sessions } from './db/database.ts';
import { type AnnouncedFrame, lockReset, readReset, takeResetStep, vacuumCleared } from './db/reset.ts';
import { dueEvent, dueInMs, type ResetEvent, type ResetSettings, resetTable } from './domain/reset.ts';
import type { ServiceMetrics } from './metrics.ts';

interface ResetRunnerOptions {
  readonly writes: Sessions;
  readonly settings: ResetSettings;
  /**
   * How often the state is read without a notification. This limits the delay after an instance has died (reading 7.7).
   */
  readonly pollMs: number;
  readonly metrics: ServiceMetrics;
  readonly logger: Logger;
}

/**
 * Takes due reset steps (`domain/reset.ts`) on each notification, at each deadline and at a regular interval. Every
 * instance has a runner. A step locks the reset, so only one instance takes it.
 */
export class ResetRunner implements Stoppable {
  readonly #options: ResetRunnerOptions;
  #timer: NodeJS.Timeout | undefined;
  #working: Promise<void> | undefined;
  #woken = false;
  #stopped = false;

  constructor(options: ResetRunnerOptions) {
    this.#options = options;
  }

  start(): void {
    this.wake();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#working;
  }

  /** Call this when a step may have become due. It is cheap and safe to call at any time. */
  wake(): void {
    this.#woken = true;
    if (this.#stopped) return;
    clearTimeout(this.#timer);
    this.#working ??= this.#work();
  }

  /**
   * Starts a reset. Returns its `reset-initiated` frame, or `undefined` if another reset is in progress (§4 Control).
   */
  async request(): Promise<AnnouncedFrame | undefined> {
    // Read without the lock first, because while another instance clears the log, the result is known immediately.
    const { state } = await readReset(this.#options.writes);
    if (resetTable[state].requested === 'refused') return undefined;
    const frame = await this.#step('requested');
    this.wake();
    return frame;
  }

  async #work(): Promise<void> {
    const { pollMs, logger } = this.#options;
    let waitMs = pollMs;
    while (this.#woken && !this.#stopped) {
      this.#woken = false;
      try {
        waitMs = await this.#takeDueSteps();
      } catch (error) {
        logger.warn({ err: error }, 'a reset step failed; retrying');
        waitMs = pollMs;
      }
    }
    this.#working = undefined;
    if (!this.#stopped) this.#timer = setTimeout(() => this.wake(), Math.min(waitMs, pollMs));
  }

  /** Returns the milliseconds until a step may be due by time alone. */
  async #takeDueSteps(): Promise<number> {
    const { writes, metrics, logger } = this.#options;
    for (;;) {
      const reset = await readReset(writes);
      const event = dueEvent(reset);
      if (!event || this.#stopped) return dueInMs(reset);
      const frame = await this.#step(event);
      // Another instance holds the lock or took the step. Its notification or the next poll will show the new state.
      if (!frame) return dueInMs(reset);
      metrics.resetSteps.inc({ event });
      if (event === 'cleared') this.#vacuum();
      logger.info({ event, correlationId: reset.correlationId }, 'completed a reset step');
    }
  }

  #vacuum(): void {
    const { writes, logger } = this.#options;
    writes
      .session(vacuumCleared)
      .catch((error) => logger.debug({ err: error }, 'the tables could not be vacuumed after the reset'));
  }

  /**
   * Locks the reset, checks again and takes the step, in one transaction. Returns the frame that announces the step, or
   * `undefined` if no step was taken.
   */
  #step(event: ResetEvent): Promise<AnnouncedFrame | undefined> {
    const { writes, settings } = this.#options;
    const requested = event === 'requested';
    return writes.session((session) =>
      session.transaction(async (queries) => {
        const reset = await lockReset(queries, requested);
        if (!reset || !(requested || dueEvent(reset) === event)) return undefined;
        const transition = resetTable[reset.state][event];
        if (typeof transition === 'string') return undefined;
        return takeResetStep(queries, reset, transition, settings);
      }),
    );
  }
}
