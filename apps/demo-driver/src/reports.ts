import type { Clock } from '@shiplog/client';
import { answeredStatus, createReporter, type Reporter } from '@shiplog/client';
import { driverLimits } from '@shiplog/companions';
import { SideCalls, type Stoppable } from '@shiplog/server';
import type { Logger } from 'pino';

export interface ReportsOptions {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly componentId: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The reports of the driver as a component (§6 rules 3 and 4). A report that fails is only logged. */
export class Reports implements Stoppable {
  readonly #reporter: Reporter;
  readonly #clock: Clock;
  readonly #calls: SideCalls;
  readonly #stopping = new AbortController();

  constructor({ baseUrl, apiKey, componentId, clock, logger }: ReportsOptions) {
    this.#reporter = createReporter({ baseUrl, apiKey, componentId, now: () => clock.now() });
    this.#clock = clock;
    this.#calls = new SideCalls(logger);
  }

  started(runId: string): Promise<void> {
    return this.#calls.report('the start of a run', () => this.#reporter.status('running', { correlationId: runId }));
  }

  ended(runId: string): Promise<void> {
    return this.#calls.report('the end of a run', () => this.#reporter.status('idle', { correlationId: runId }));
  }

  /** With as many attempts as a post, because the reset waits for it. */
  ack(resetId: string): Promise<void> {
    return this.#calls.report('that a reset may go on', () => this.#retried(() => this.#reporter.ack(resetId)));
  }

  resumed(resetId: string): Promise<void> {
    return this.#calls.report('that a reset is over', () =>
      this.#reporter.status('running', { correlationId: resetId }),
    );
  }

  /** Resolves when no report is in flight. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#calls.over();
  }

  async #retried(send: () => Promise<void>): Promise<void> {
    for (const waitMs of driverLimits.retryWaitsMs.slice(0, driverLimits.attempts - 1)) {
      try {
        return await send();
      } catch (error) {
        if (this.#stopping.signal.aborted || !isRetryable(error)) throw error;
        await this.#clock.sleep(waitMs, this.#stopping.signal);
      }
    }
    return send();
  }
}

/** A report that timed out is not repeated: its time is over. */
function isRetryable(error: unknown): boolean {
  const status = answeredStatus(error);
  return status === undefined ? (error as Error).name !== 'TimeoutError' : status >= 500;
}
