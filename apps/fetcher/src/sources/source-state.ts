import type { Clock } from '@shiplog/client';
import type { SourceOutcome } from '@shiplog/companions';

export interface SourceStateOptions {
  readonly clock: Clock;
  /** A source turns bad, or bad for another reason: its token fails, or it has an error. */
  onBad(sentence: string): void;
  onWell(): void;
  onCycle(seconds: number): void;
}

/** How a source is doing, for health, readiness and reports. */
export class SourceState {
  readonly #options: SourceStateOptions;
  /** Whether the tool answered when it was asked last; null before. */
  reachable: boolean | null = null;
  lastOutcome: SourceOutcome | null = null;
  lastSuccessAt: Date | null = null;
  /** Null where nothing is wrong. */
  lastError: string | null = null;

  constructor(options: SourceStateOptions) {
    this.#options = options;
  }

  /** Call what it gives when the cycle is over. */
  cycleBegins(): () => void {
    const begunMs = this.#options.clock.now().getTime();
    return () => this.#options.onCycle((this.#options.clock.now().getTime() - begunMs) / 1000);
  }

  succeeded(): void {
    const wasBad = this.isBad;
    this.reachable = true;
    this.lastOutcome = 'ok';
    this.lastError = null;
    this.lastSuccessAt = this.#options.clock.now();
    if (wasBad) this.#options.onWell();
  }

  /** `isAway`: the tool gave no usable answer. */
  failed(outcome: SourceOutcome, sentence: string, isAway: boolean): void {
    const wasBad = this.isBad && this.lastError === sentence;
    this.reachable = !isAway;
    this.lastOutcome = outcome;
    this.lastError = sentence;
    if (this.isBad && !wasBad) this.#options.onBad(sentence);
  }

  get isBad(): boolean {
    return this.lastOutcome === 'auth_failed' || this.lastOutcome === 'error';
  }
}
