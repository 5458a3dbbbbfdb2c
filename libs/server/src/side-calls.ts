import type { Logger } from 'pino';

/** Calls that nothing else depends on, such as the reports of a component: one that fails is only logged. */
export class SideCalls {
  readonly #logger: Logger;
  readonly #underWay = new Set<Promise<void>>();

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /** Resolves when the call is over. `what` ends the line of the log, "could not report …". */
  async report(what: string, send: () => Promise<void>): Promise<void> {
    const report = send().catch((error) => this.#logger.warn({ err: error }, `could not report ${what}`));
    this.#underWay.add(report);
    await report;
    this.#underWay.delete(report);
  }

  /** Resolves when none is under way. */
  async over(): Promise<void> {
    await Promise.all(this.#underWay);
  }
}
