import type { Clock } from '@shiplog/client';

/** Blocks calls during a reset, and opens automatically when it expires (§3, `RESET_GATE_MAX_TTL_MS`). */
export class Gate {
  readonly #clock: Clock;
  readonly #ttlMs: number;
  readonly #onExpired: () => void;
  #closed: AbortController | undefined;
  #until = 0;

  constructor(options: { readonly clock: Clock; readonly ttlMs: number; readonly onExpired: () => void }) {
    this.#clock = options.clock;
    this.#ttlMs = options.ttlMs;
    this.#onExpired = options.onExpired;
  }

  /** Closing a closed gate restarts its timeout. */
  close(): void {
    this.open();
    const closed = new AbortController();
    this.#closed = closed;
    this.#until = this.#clock.now().getTime() + this.#ttlMs;
    void this.#clock.sleep(this.#ttlMs, closed.signal).then(() => {
      if (!closed.signal.aborted) this.#onExpired();
    });
  }

  open(): void {
    this.#closed?.abort();
    this.#closed = undefined;
  }

  /** The remaining time, rounded up to at least 1 (reading 9.4). */
  get remainingSeconds(): number {
    return Math.max(1, Math.ceil((this.#until - this.#clock.now().getTime()) / 1000));
  }
}
