import { type Clock, createReporter, type Reporter } from '@shiplog/client';
import type { RateLimit } from '@shiplog/contract';
import { SideCalls, type Stoppable } from '@shiplog/server';
import type { Logger } from 'pino';

const heartbeatMs = 30_000;
const ackAttempts = 3;
const ackWaitMs = 200;

export interface ReportsOptions {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly componentId: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The reports of a component (fetcher §13.1). A report that fails is only logged. */
export class Reports implements Stoppable {
  readonly #reporter: Reporter;
  readonly #clock: Clock;
  readonly #calls: SideCalls;
  readonly #stopping = new AbortController();
  #isPaused = false;

  constructor({ baseUrl, apiKey, componentId, clock, logger }: ReportsOptions) {
    this.#reporter = createReporter({ baseUrl, apiKey, componentId, now: () => clock.now() });
    this.#clock = clock;
    this.#calls = new SideCalls(logger);
  }

  start(): void {
    void this.#calls.report('the start', () => this.#reporter.status('running'));
    void this.#beat();
  }

  /** Resolves when the end is reported and nothing is under way. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    void this.#calls.report('the end', () => this.#reporter.status('idle'));
    await this.#calls.over();
  }

  /** Resolves when the service has the ack; with several attempts, because the reset waits for it. */
  async ack(resetId: string): Promise<void> {
    this.#isPaused = true;
    await this.#calls.report('that a reset may go on', async () => {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await this.#reporter.ack(resetId);
        } catch (error) {
          if (attempt === ackAttempts || this.#stopping.signal.aborted) throw error;
        }
        await this.#clock.sleep(ackWaitMs, this.#stopping.signal);
      }
    });
  }

  /** `resetId` where a reset was completed; a reset that was aborted, or never ended, is not answered. */
  resumed(resetId?: string): void {
    this.#isPaused = false;
    if (resetId === undefined) return;
    void this.#calls.report('that a reset is over', () => this.#reporter.status('running', { correlationId: resetId }));
  }

  bad(source: string, sentence: string): void {
    void this.#calls.report('an error', () => this.#reporter.error(`${source}: ${sentence}`));
  }

  well(source: string): void {
    void this.#calls.report('that a source is well', () =>
      this.#reporter.status('running', { detail: `${source} is well again` }),
    );
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
