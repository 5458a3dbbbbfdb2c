import { invalid } from '@shiplog/server';
import type { Queries } from './db/database.ts';
import { logMark } from './db/log-mark.ts';

const hourMs = 3_600_000;

/**
 * Refuses events that are dated too far ahead of the database's clock (reading 8.8). That clock is asked only for an event
 * that lies beyond the limit by the last time that was read from it: time passes, so an earlier reading refuses too much,
 * never too little. Posts of the present hardly ever ask.
 */
export class FutureLimit {
  readonly #queries: Queries;
  readonly #hours: number | undefined;
  #knownMs = 0;

  constructor(queries: Queries, hours: number | undefined) {
    this.#queries = queries;
    this.#hours = hours;
  }

  /** @throws Problem 422 at `/happened_at`. */
  async check(happenedAt: string): Promise<void> {
    if (this.#hours === undefined) return;
    const aheadMs = Date.parse(happenedAt) - this.#hours * hourMs;
    if (aheadMs <= this.#knownMs) return;
    this.#knownMs = (await logMark(this.#queries)).now;
    if (aheadMs <= this.#knownMs) return;
    const message = `must not be more than ${this.#hours} h ahead of the clock of the database (MAX_FUTURE_HOURS)`;
    throw invalid([{ pointer: '/happened_at', message }]);
  }
}
