const spanMs = 60_000;
/** The share of a minute's requests for polling all places. The remaining requests are for hints and backfill. */
const roundShare = 0.8;
const backfillShare = 1 - roundShare;

interface Sent {
  readonly ms: number;
  readonly isBackfill: boolean;
}

/**
 * Limits the requests in any 60 seconds (fetcher §7.1). Polling has priority: the number of requests in its last cycle
 * is reserved for it, and a fifth of the minute in addition. The backfill gets the remaining requests, but at least a
 * fifth, so that it completes even if polling uses its full share.
 */
export class Pace {
  readonly #perMinute: number;
  /** The requests of the last minute, oldest first. */
  #sent: Sent[] = [];
  #reserved = 0;

  constructor(perMinute: number) {
    this.#perMinute = perMinute;
  }

  /** How long to wait before the next request, in ms. */
  waitMs(nowMs: number): number {
    // If the clock was set back, don't block requests until it has caught up.
    this.#sent = this.#sent.filter(({ ms }) => ms <= nowMs && nowMs - ms < spanMs);
    const [oldest] = this.#sent;
    return oldest === undefined || this.#sent.length < this.#perMinute ? 0 : oldest.ms + spanMs - nowMs;
  }

  hasTurn(nowMs: number): boolean {
    return this.waitMs(nowMs) === 0 && this.#count(false) < this.#roundMax;
  }

  hasSpare(nowMs: number): boolean {
    const backfillMax = Math.max(1, backfillShare * this.#perMinute, this.#roundMax - this.#reserved);
    return this.waitMs(nowMs) === 0 && this.#count(true) < backfillMax;
  }

  sent(nowMs: number, isBackfill: boolean): void {
    this.#sent.push({ ms: nowMs, isBackfill });
  }

  /** Ends a polling cycle. A cycle that ended for lack of room would have needed more requests. */
  cycleOver(nowMs: number): void {
    this.#reserved = this.hasTurn(nowMs) ? this.#count(false) : this.#roundMax;
  }

  get #roundMax(): number {
    return roundShare * this.#perMinute;
  }

  #count(ofBackfill: boolean): number {
    return this.#sent.filter(({ isBackfill }) => isBackfill === ofBackfill).length;
  }
}
