/** `dropped`: the target will never take this message; after the others it is sent again. */
export type NotSentOutcome = 'dropped' | 'auth_failed' | 'rate_limited' | 'error';

/** A target did not take a message. The sentence names neither addresses, which may be secrets, nor what was sent. */
export class NotSent extends Error {
  readonly outcome: NotSentOutcome;
  /** How long the target asks not to be asked again. */
  readonly retryAfterMs: number | undefined;

  constructor(sentence: string, outcome: NotSentOutcome = 'error', retryAfterMs?: number) {
    super(sentence);
    this.outcome = outcome;
    this.retryAfterMs = retryAfterMs;
  }
}
