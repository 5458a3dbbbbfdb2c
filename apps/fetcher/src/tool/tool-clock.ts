/** When a request was sent and its answer began, by the own clock; ms. */
export interface Sent {
  readonly sentMs: number;
  readonly answeredMs: number;
}

/**
 * The time of a tool as its `Date` headers tell it. They have whole seconds, so each says of the difference between the
 * clocks only where it must lie; it stays what it was as long as it lies there, and never runs ahead of what was told.
 */
export class ToolClock {
  #offsetMs = 0;

  at(ownMs: number): number {
    return ownMs + this.#offsetMs;
  }

  /** A header that is missing or no date says nothing. */
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
