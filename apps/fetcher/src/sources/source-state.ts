import { CallRefused, type Clock, PostingDenied } from '@shiplog/client';
import type { SourceOutcome } from '@shiplog/companions';
import { AuthFailed, SourcePaused, ToolAway } from '../tool/refusals.ts';

export interface SourceStateOptions {
  readonly clock: Clock;
  /** The source begins to fail, or fails for another reason. */
  onFailed(sentence: string): void;
  onRecovered(): void;
  onCycle(seconds: number): void;
}

/** How a cycle failed, with a sentence for people. */
export interface Failure {
  readonly outcome: SourceOutcome;
  readonly sentence: string;
  /** Whether the tool gave no usable answer. */
  readonly isToolAway: boolean;
}

export function failureOf(error: unknown): Failure {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof AuthFailed) return { outcome: 'auth_failed', sentence: message, isToolAway: false };
  if (error instanceof SourcePaused) return { outcome: 'rate_limited', sentence: message, isToolAway: false };
  if (error instanceof ToolAway) return { outcome: 'error', sentence: message, isToolAway: true };
  const isDenied = error instanceof PostingDenied || (error instanceof CallRefused && error.status === 401);
  const sentence = isDenied
    ? 'The service does not accept API_KEY. Set it to a valid key of the service.'
    : `The cycle failed: ${message}`;
  return { outcome: 'error', sentence, isToolAway: false };
}

/** The state of a source, for health, readiness and reports. */
export class SourceState {
  readonly #options: SourceStateOptions;
  /** Whether the tool answered the last request; null before the first. */
  reachable: boolean | null = null;
  lastOutcome: SourceOutcome | null = null;
  lastSuccessAt: Date | null = null;
  /** Null without an error. */
  lastError: string | null = null;

  constructor(options: SourceStateOptions) {
    this.#options = options;
  }

  /** Returns a function to call when the cycle is over. */
  cycleBegins(): () => void {
    const begunMs = this.#options.clock.now().getTime();
    return () => this.#options.onCycle((this.#options.clock.now().getTime() - begunMs) / 1000);
  }

  succeeded(): void {
    const wasFailing = this.isFailing;
    this.reachable = true;
    this.lastOutcome = 'ok';
    this.lastError = null;
    this.lastSuccessAt = this.#options.clock.now();
    if (wasFailing) this.#options.onRecovered();
  }

  failed({ outcome, sentence, isToolAway }: Failure): void {
    const isKnown = this.isFailing && this.lastError === sentence;
    this.reachable = !isToolAway;
    this.lastOutcome = outcome;
    this.lastError = sentence;
    if (this.isFailing && !isKnown) this.#options.onFailed(sentence);
  }

  get isFailing(): boolean {
    return this.lastOutcome === 'auth_failed' || this.lastOutcome === 'error';
  }
}

/**
 * What a source does next. A failure or a rate limit delays everything; between two cycles come the hints of webhooks and
 * then the backfill.
 *
 *            ┌──────────────── due ───────────────┐
 *            ▼                                    │
 *   start → poll → backfill → wait ───────────────┤
 *            │        ▲        │ woken by a hint   │
 *            │        └─ poll hinted ◀─────────────┤
 *            └──── failed ──▶ pause ───────────────┘
 */
export type Action = 'poll' | 'poll hinted' | 'backfill' | 'wait' | 'pause';

/** Instants are ms of the fetcher's clock. */
export interface Situation {
  readonly nowMs: number;
  /** When the next cycle begins. */
  readonly dueMs: number;
  /** After a failure or a rate limit nothing is asked before this instant. */
  readonly pausedUntilMs: number;
  readonly hasHints: boolean;
  /** `undefined` at the start. */
  readonly previous: Action | undefined;
}

/** The first row that applies decides. */
const rows: readonly (readonly [action: Action, applies: (situation: Situation) => boolean])[] = [
  ['pause', ({ pausedUntilMs, nowMs }) => pausedUntilMs > nowMs],
  // A cycle that takes longer than its interval still leaves one turn to hints or the backfill.
  ['poll', ({ dueMs, nowMs, previous }) => nowMs >= dueMs && previous !== 'poll'],
  ['poll hinted', ({ hasHints }) => hasHints],
  ['wait', ({ previous }) => previous === 'backfill'],
  ['backfill', () => true],
];

export function nextAction(situation: Situation): Action {
  const [action] = rows.find(([, applies]) => applies(situation)) ?? ['backfill'];
  return action;
}
