import type { Clock } from '@shiplog/client';
import type { ControlStreamEvent } from '@shiplog/contract';
import type { Logger } from 'pino';

export interface ResetPartOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  /** How long the component waits for the end of a reset before it resumes (`RESET_GATE_MAX_TTL_MS`). */
  readonly ttlMs: number;
  /** Resolves when nothing is in flight; waiting messages are dropped. */
  drain(): Promise<void>;
  ack(resetId: string): Promise<void>;
  restart(resetId: string, at: Date): Promise<void>;
  /** Continues after a reset that did not take place or whose outcome is unknown. */
  resume(): Promise<void>;
}

interface Reset {
  readonly id: string;
  readonly over: AbortController;
}

/**
 * How a component takes part in resets (fetcher §12):
 *
 *            reset-initiated: drain, ack             reset-completed of its id: restart
 *   idle ─────────────────────────────► paused ─────────────────────────────────────────► idle
 *                                       │    ▲ │      reset-aborted, time over: resume
 *                       reset-initiated └────┘ └────────────────────────────────────────► idle
 *
 * A second `reset-initiated` replaces the first. All other frames are ignored.
 */
export class ResetPart {
  readonly #options: ResetPartOptions;
  #reset: Reset | undefined;
  /** Steps run one at a time, in the order of their frames. */
  #steps: Promise<void> = Promise.resolve();

  constructor(options: ResetPartOptions) {
    this.#options = options;
  }

  get isPaused(): boolean {
    return this.#reset !== undefined;
  }

  take({ type, id, correlation_id, occurred_at }: ControlStreamEvent): void {
    if (type === 'reset-initiated') this.#initiated(id);
    const reset = this.#reset;
    if (!reset || correlation_id !== reset.id) return;
    if (type === 'reset-completed') {
      this.#end(reset, () => this.#options.restart(reset.id, new Date(occurred_at)));
    }
    if (type === 'reset-aborted') this.#end(reset, () => this.#options.resume());
  }

  /** Cancels the reset timeout. Resolves when the steps for all frames received so far are done. */
  async stop(): Promise<void> {
    this.#reset?.over.abort();
    await this.#steps;
  }

  #initiated(id: string): void {
    const { clock, ttlMs, drain, ack, logger } = this.#options;
    this.#reset?.over.abort();
    const over = new AbortController();
    logger.info({ reset: id }, 'a reset begins: nothing is posted until it ends');
    const reset: Reset = { id, over };
    this.#reset = reset;
    this.#step(async () => {
      await drain();
      if (this.#reset === reset) await ack(id);
    });
    void clock.sleep(ttlMs, over.signal).then(() => {
      if (over.signal.aborted) return;
      logger.warn({ reset: id }, `the reset has not ended after ${ttlMs} ms; resuming`);
      this.#end(reset, () => this.#options.resume());
    });
  }

  #end(reset: Reset, goOn: () => Promise<void>): void {
    if (this.#reset !== reset) return;
    reset.over.abort();
    this.#step(async () => {
      // Another reset may have begun in the meantime. When it ends, the work resumes.
      if (this.#reset !== reset) return;
      this.#reset = undefined;
      await goOn();
    });
  }

  #step(step: () => Promise<void>): void {
    this.#steps = this.#steps.then(step).catch((error) => {
      this.#options.logger.error({ err: error }, 'a step of a reset failed');
    });
  }
}
