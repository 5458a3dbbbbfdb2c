/** When a request was sent and its answer began, by the fetcher's clock; ms. */
export interface Sent {
  readonly sentMs: number;
  readonly answeredMs: number;
}

/**
 * The clock of a tool, from its `Date` headers. They have whole seconds, so each only bounds the offset between the
 * clocks; the offset changes only if it leaves the bounds, and never exceeds what was reported.
 */
export class ToolClock {
  #offsetMs = 0;

  at(ownMs: number): number {
    return ownMs + this.#offsetMs;
  }

  /** Ignores a missing or invalid header. */
  learn(date: string | null, { sentMs, answeredMs }: Sent): void {
    const toldMs = httpDateMs(date ?? '');
    if (toldMs === undefined) return;
    const least = toldMs - answeredMs;
    const most = toldMs + 1000 - sentMs;
    if (this.#offsetMs < least || this.#offsetMs >= most) this.#offsetMs = least;
  }
}

/** The instant of `Sun, 06 Nov 1994 08:49:37 GMT`, `undefined` for any other text. */
export function httpDateMs(text: string): number | undefined {
  if (!/^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/.test(text)) return undefined;
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? undefined : ms;
}
