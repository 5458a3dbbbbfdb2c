import { windowMsMax } from '../domain/budget.ts';
import { SourcePaused } from './refusals.ts';
import type { Tool } from './tool-http.ts';

const pauseMsMin = 1000;
const unknownMsMin = 60_000;
const unknownMsMax = 900_000;
const afterResetMs = 1000;

/**
 * The instant, by the tool's clock, before which a tool accepts no requests (fetcher §7); `unknown` if it doesn't say,
 * `undefined` if the response isn't about a limit.
 */
export function limitOf(
  { status, headers, text }: { readonly status: number; readonly headers: Headers; readonly text: string },
  tool: Pick<Tool, 'rateOf' | 'isLimit'>,
  nowMs: number,
): number | 'unknown' | undefined {
  if (status !== 403 && status !== 429) return undefined;
  const after = retryAfterMs(headers.get('retry-after') ?? '', nowMs);
  if (after !== undefined) return after;
  const rate = tool.rateOf(headers);
  if (rate?.remaining === 0 && rate.resetMs + afterResetMs > nowMs) return rate.resetMs + afterResetMs;
  return status === 429 || rate?.remaining === 0 || tool.isLimit?.(text) ? 'unknown' : undefined;
}

function retryAfterMs(text: string, nowMs: number): number | undefined {
  return /^\d+$/.test(text) ? nowMs + Number(text) * 1000 : httpDateMs(text);
}

/** The pause that a tool requests; nothing is sent before its end. */
export class Pauses {
  #current: SourcePaused | undefined;
  #unknownMs = unknownMsMin;

  /**
   * A pause lasts at least a second and at most about as long as a tool's longest window. Pauses of unknown length
   * double.
   */
  begin(reason: string, until: number | 'unknown', nowMs: number): SourcePaused {
    const untilMs = until === 'unknown' ? nowMs + this.#unknownMs : until;
    if (until === 'unknown') this.#unknownMs = Math.min(unknownMsMax, 2 * this.#unknownMs);
    const bounded = Math.min(Math.max(untilMs, nowMs + pauseMsMin), nowMs + windowMsMax);
    this.#current = new SourcePaused(reason, bounded);
    return this.#current;
  }

  /** The current pause. An ended one stays ended, even if the tool's clock goes back. */
  at(nowMs: number): SourcePaused | undefined {
    if (this.#current && nowMs >= this.#current.untilMs) this.#current = undefined;
    return this.#current;
  }

  /** Records a good response: the next pause of unknown length is short again. */
  succeeded(): void {
    this.#unknownMs = unknownMsMin;
  }
}

/** When a request was sent and when its response began, by the fetcher's clock in milliseconds. */
export interface Sent {
  readonly sentMs: number;
  readonly answeredMs: number;
}

/**
 * The clock of a tool, from its `Date` headers. These are in whole seconds, so each one only limits the offset between
 * the clocks. The offset changes only if it exceeds these limits.
 */
export class ToolClock {
  #offsetMs = 0;

  at(ownMs: number): number {
    return ownMs + this.#offsetMs;
  }

  /** Ignores a missing or invalid header. */
  learn(date: string | null, { sentMs, answeredMs }: Sent): void {
    const reportedMs = httpDateMs(date ?? '');
    if (reportedMs === undefined) return;
    const least = reportedMs - answeredMs;
    const most = reportedMs + 1000 - sentMs;
    if (this.#offsetMs < least || this.#offsetMs >= most) this.#offsetMs = least;
  }
}

/** Parses a date such as `Sun, 06 Nov 1994 08:49:37 GMT`; `undefined` for any other text. */
export function httpDateMs(text: string): number | undefined {
  if (!/^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/.test(text)) return undefined;
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? undefined : ms;
}
