import { type Clock, createReporter, type Reporter } from '@shiplog/client';
import type { RateLimit } from '@shiplog/contract';
import { SideCalls, type Stoppable } from '@shiplog/server';
import type { Logger } from 'pino';

const heartbeatMs = 30_000;
/** How many times to retry a failed ack, because a reset waits for the ack. */
export interface AckRetries {
  readonly waitsMs: readonly number[];
  isRetryable(error: unknown): boolean;
}

const defaultRetries: AckRetries = { waitsMs: [200, 200], isRetryable: () => true };

export interface ReportsOptions {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly componentId: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly ackRetries?: AckRetries;
}

/** The reports of a component (fetcher §13.1). A report that fails is only logged. */
export class Reports implements Stoppable {
  readonly #reporter: Reporter;
  readonly #clock: Clock;
  readonly #calls: SideCalls;
  readonly #ackRetries: AckRetries;
  readonly #stopping = new AbortController();
  #isStarted = false;
  #isPaused = false;

  constructor({ baseUrl, apiKey, componentId, clock, logger, ackRetries = defaultRetries }: ReportsOptions) {
    this.#reporter = createReporter({ baseUrl, apiKey, componentId, now: () => clock.now() });
    this.#clock = clock;
    this.#calls = new SideCalls(logger);
    this.#ackRetries = ackRetries;
  }

  /** Reports the start, and then sends a heartbeat at each interval until the component stops. */
  start(): void {
    this.#isStarted = true;
    void this.#calls.report('the start', () => this.#reporter.status('running'));
    void this.#beat();
  }

  /** Resolves when no report is in flight. If the start was reported, the last report is the stop. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    if (this.#isStarted) void this.#calls.report('the end', () => this.#reporter.status('idle'));
    await this.#calls.over();
  }

  runStarted(runId: string): Promise<void> {
    return this.#calls.report('the start of a run', () => this.#reporter.status('running', { correlationId: runId }));
  }

  runEnded(runId: string): Promise<void> {
    return this.#calls.report('the end of a run', () => this.#reporter.status('idle', { correlationId: runId }));
  }

  /** Resolves when the service has received the ack or all attempts have failed. */
  async ack(resetId: string): Promise<void> {
    this.#isPaused = true;
    const { waitsMs, isRetryable } = this.#ackRetries;
    await this.#calls.report('the ack of a reset', async () => {
      for (const waitMs of waitsMs) {
        try {
          return await this.#reporter.ack(resetId);
        } catch (error) {
          if (this.#stopping.signal.aborted || !isRetryable(error)) throw error;
        }
        await this.#clock.sleep(waitMs, this.#stopping.signal);
      }
      return this.#reporter.ack(resetId);
    });
  }

  /** Reports the end of a completed reset by its id. Doesn't report aborted or unfinished resets. */
  resumed(resetId?: string): void {
    this.#isPaused = false;
    if (resetId === undefined) return;
    void this.#calls.report('the end of a reset', () => this.#reporter.status('running', { correlationId: resetId }));
  }

  /** Reports that the source or target is failing. `sentence` is the reason. */
  failed(source: string, sentence: string): void {
    void this.#calls.report('an error', () => this.#reporter.error(`${source}: ${sentence}`));
  }

  recovered(source: string): void {
    void this.#calls.report('a recovery', () => this.#reporter.status('running', { detail: `${source} works again` }));
  }

  rateLimit(limit: RateLimit): void {
    void this.#calls.report('a rate limit', () =>
      this.#reporter.rateLimit(this.#isPaused ? 'paused' : 'running', limit),
    );
  }

  async #beat(): Promise<void> {
    for (;;) {
      await this.#clock.sleep(heartbeatMs, this.#stopping.signal);
      if (this.#stopping.signal.aborted) return;
      void this.#calls.report('a heartbeat', () => this.#reporter.heartbeat(this.#isPaused ? 'paused' : 'running'));
    }
  }
}
