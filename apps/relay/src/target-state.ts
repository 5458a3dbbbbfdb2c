import type { Clock } from '@shiplog/client';
import type { TargetHealth, TargetOutcome } from '@shiplog/companions';

export class TargetState {
  readonly #clock: Clock;
  readonly #onBad: (sentence: string) => void;
  readonly #onHealthy: () => void;
  #lastOutcome: TargetOutcome | null = null;
  #lastSuccessAt: Date | null = null;
  #lastError: string | null = null;

  /** @param onBad called if the target accepts no messages, or for a different reason than before */
  constructor(clock: Clock, onBad: (sentence: string) => void, onHealthy: () => void) {
    this.#clock = clock;
    this.#onBad = onBad;
    this.#onHealthy = onHealthy;
  }

  succeeded(): void {
    const wasBad = this.isBad;
    this.#lastOutcome = 'ok';
    this.#lastError = null;
    this.#lastSuccessAt = this.#clock.now();
    if (wasBad) this.#onHealthy();
  }

  failed(outcome: TargetOutcome, sentence: string): void {
    const isNew = !this.isBad || this.#lastError !== sentence;
    this.#lastOutcome = outcome;
    this.#lastError = sentence;
    if (isNew) this.#onBad(sentence);
  }

  /** Whether the target accepts no messages. A single message that it will never accept does not count. */
  get isBad(): boolean {
    return this.#lastOutcome !== null && this.#lastOutcome !== 'ok' && this.#lastOutcome !== 'dropped';
  }

  get health(): Pick<TargetHealth, 'last_outcome' | 'last_success_at' | 'last_error'> {
    return {
      last_outcome: this.#lastOutcome,
      last_success_at: this.#lastSuccessAt?.toISOString() ?? null,
      last_error: this.#lastError,
    };
  }
}
