const spanMs = 60_000;

/** At most so many requests in any 60 seconds (fetcher §7.1). */
export class Pace {
  readonly #perMinute: number;
  /** Of the requests of the last minute, oldest first. */
  #times: number[] = [];

  constructor(perMinute: number) {
    this.#perMinute = perMinute;
  }

  /** How long to wait before the next request; 0: not at all. */
  waitMs(nowMs: number): number {
    // A clock that was set back must not hold up everything until it has caught up.
    this.#times = this.#times.filter((time) => time <= nowMs && nowMs - time < spanMs);
    const [oldest] = this.#times;
    return oldest === undefined || this.#times.length < this.#perMinute ? 0 : oldest + spanMs - nowMs;
  }

  /** Whether fewer requests than this share of a minute's were sent in the last minute. */
  hasRoom(nowMs: number, share: number): boolean {
    return this.waitMs(nowMs) === 0 && this.#times.length < share * this.#perMinute;
  }

  /** A request is sent. */
  sent(nowMs: number): void {
    this.#times.push(nowMs);
  }
}
