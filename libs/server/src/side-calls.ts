import type { Logger } from 'pino';

/** Calls that nothing depends on, such as the reports of a component. Failures are only logged. */
export class SideCalls {
  readonly #logger: Logger;
  readonly #inFlight = new Set<Promise<void>>();

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /** Resolves when the call has ended. `what` completes the log message "could not report …". */
  async report(what: string, send: () => Promise<void>): Promise<void> {
    const report = send().catch((error) => this.#logger.warn({ err: error }, `could not report ${what}`));
    this.#inFlight.add(report);
    await report;
    this.#inFlight.delete(report);
  }

  /** Resolves when no call is in flight. */
  async over(): Promise<void> {
    await Promise.all(this.#inFlight);
  }
}
