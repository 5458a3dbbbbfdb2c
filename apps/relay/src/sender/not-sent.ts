/** `dropped`: the target will never accept this message; after the others it is retried. */
export type NotSentOutcome = 'dropped' | 'auth_failed' | 'rate_limited' | 'error';

/** A target did not accept a message. The sentence names neither addresses, which may be secrets, nor the content. */
export class NotSent extends Error {
  readonly outcome: NotSentOutcome;
  /** How long the target asks to wait before the next attempt. */
  readonly retryAfterMs: number | undefined;

  constructor(sentence: string, outcome: NotSentOutcome = 'error', retryAfterMs?: number) {
    super(sentence);
    this.outcome = outcome;
    this.retryAfterMs = retryAfterMs;
  }
}
