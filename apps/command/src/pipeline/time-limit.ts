import type { Context } from '../context.ts';
import type { Given } from '../definition.ts';
import { exitCodes, Failure } from '../failure.ts';
import { durationOption } from '../time-options.ts';

/** The time limit for the single check with `--timeout 0`. */
const singleCheckMs = 10_000;

/** The time limit of a command that waits (`--timeout`). */
export class TimeLimit {
  /** Whether to check only once (`--timeout 0`). */
  readonly isSingleCheck: boolean;
  /** Aborted at the time limit, and when the command is interrupted. */
  readonly signal: AbortSignal;
  readonly #timeout: string;
  readonly #timeoutMs: number;
  readonly #clock: Context['clock'];
  readonly #over = new AbortController();
  readonly #closing = new AbortController();

  constructor({ timeout = '30m' }: Given['options'], { clock, signal }: Context) {
    this.#timeout = String(timeout);
    this.#timeoutMs = durationOption('--timeout', this.#timeout);
    this.isSingleCheck = this.#timeoutMs === 0;
    this.#clock = clock;
    this.signal = AbortSignal.any([signal, this.#over.signal]);
  }

  /** @param state what the command has seen so far, as part of a sentence; `undefined` before the service answered. */
  start(state: () => string | undefined): void {
    const ms = this.isSingleCheck ? singleCheckMs : this.#timeoutMs;
    void this.#clock.sleep(ms, this.#closing.signal).then(() => {
      if (!this.#closing.signal.aborted) this.#over.abort(this.failure(state()));
    });
  }

  end(): void {
    this.#closing.abort();
  }

  failure(state: string | undefined): Failure {
    if (state !== undefined) {
      const sentence = `Timed out after ${this.#timeout}: ${state}. To wait longer, raise --timeout.`;
      return new Failure(exitCodes.no, sentence);
    }
    const sentence = `The service did not answer in time (--timeout ${this.#timeout}). Check --url or SHIPLOG_URL.`;
    return new Failure(exitCodes.away, sentence);
  }
}
