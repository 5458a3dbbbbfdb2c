const spanMs = 60_000;
/** What the round of all places may take of a minute's requests; the rest is for what is hinted at or filled up. */
const roundShare = 0.8;
const pastShare = 1 - roundShare;

interface Sent {
  readonly ms: number;
  readonly isPast: boolean;
}

/**
 * At most a number of requests in any 60 seconds (fetcher §7.1). Live polling comes first: what it took of a minute when
 * its last cycle was over is kept free for it, and a fifth of the minute beyond that; the past has the rest, and a fifth
 * at least, so that it comes to its end where live polling takes all that it may.
 */
export class Pace {
  readonly #perMinute: number;
  /** The requests of the last minute, oldest first. */
  #sent: Sent[] = [];
  #reserved = 0;

  constructor(perMinute: number) {
    this.#perMinute = perMinute;
  }

  /** How long to wait before the next request; 0: not at all. */
  waitMs(nowMs: number): number {
    // A clock that was set back must not hold up everything until it has caught up.
    this.#sent = this.#sent.filter(({ ms }) => ms <= nowMs && nowMs - ms < spanMs);
    const [oldest] = this.#sent;
    return oldest === undefined || this.#sent.length < this.#perMinute ? 0 : oldest.ms + spanMs - nowMs;
  }

  /** Whether the round of all places may go on. */
  hasTurn(nowMs: number): boolean {
    return this.waitMs(nowMs) === 0 && this.#count(false) < this.#roundMax;
  }

  /** Whether there is room for the past. */
  hasSpare(nowMs: number): boolean {
    const pastMax = Math.max(1, pastShare * this.#perMinute, this.#roundMax - this.#reserved);
    return this.waitMs(nowMs) === 0 && this.#count(true) < pastMax;
  }

  /** A request is sent, for what is new or for the past. */
  sent(nowMs: number, isPast: boolean): void {
    this.#sent.push({ ms: nowMs, isPast });
  }

  /** A live cycle is over. One that ended for want of room would have taken more than it did. */
  cycleOver(nowMs: number): void {
    this.#reserved = this.hasTurn(nowMs) ? this.#count(false) : this.#roundMax;
  }

  get #roundMax(): number {
    return roundShare * this.#perMinute;
  }

  #count(ofPast: boolean): number {
    return this.#sent.filter(({ isPast }) => isPast === ofPast).length;
  }
}
