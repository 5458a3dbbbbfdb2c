import { windowMsMax } from '../domain/budget.ts';
import { SourcePaused } from './refusals.ts';
import { httpDateMs } from './tool-clock.ts';
import type { Tool } from './tool-http.ts';

const restMsMin = 1000;
const untoldMsMin = 60_000;
const untoldMsMax = 900_000;
const afterResetMs = 1000;

export interface LimitedAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/**
 * Until when a tool wants no requests, by its clock (fetcher §7); `untold` if it doesn't say, `undefined` if the answer
 * isn't about a limit.
 */
export function limitOf(
  { status, headers, text }: LimitedAnswer,
  tool: Pick<Tool, 'rateOf' | 'isLimit'>,
  nowMs: number,
): number | 'untold' | undefined {
  if (status !== 403 && status !== 429) return undefined;
  const after = retryAfterMs(headers.get('retry-after') ?? '', nowMs);
  if (after !== undefined) return after;
  const rate = tool.rateOf(headers);
  if (rate?.remaining === 0 && rate.resetMs + afterResetMs > nowMs) return rate.resetMs + afterResetMs;
  return status === 429 || rate?.remaining === 0 || tool.isLimit?.(text) ? 'untold' : undefined;
}

function retryAfterMs(text: string, nowMs: number): number | undefined {
  return /^\d+$/.test(text) ? nowMs + Number(text) * 1000 : httpDateMs(text);
}

/** The pause that a tool asks for; nothing is sent before its end. */
export class Pauses {
  #current: SourcePaused | undefined;
  #untoldMs = untoldMsMin;

  /**
   * A pause lasts at least a second, and hardly longer than the longest window of a tool; then the tool is asked again.
   * Pauses of unknown length double.
   */
  begin(reason: string, until: number | 'untold', nowMs: number): SourcePaused {
    const untilMs = until === 'untold' ? nowMs + this.#untoldMs : until;
    if (until === 'untold') this.#untoldMs = Math.min(untoldMsMax, 2 * this.#untoldMs);
    const bounded = Math.min(Math.max(untilMs, nowMs + restMsMin), nowMs + windowMsMax);
    this.#current = new SourcePaused(reason, bounded);
    return this.#current;
  }

  /** The current pause. An ended one stays ended, even if the tool's clock goes back. */
  at(nowMs: number): SourcePaused | undefined {
    if (this.#current && nowMs >= this.#current.untilMs) this.#current = undefined;
    return this.#current;
  }

  /** After a good answer the next pause of unknown length is short. */
  wentWell(): void {
    this.#untoldMs = untoldMsMin;
  }
}
