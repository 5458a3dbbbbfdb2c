export interface SourceTimes {
  /** Frames that arrive within this time are applied in one step. */
  readonly gatherMs: number;
  /** The interval between two checks that the board still matches the log. */
  readonly checkMs: number;
  /** The interval between two snapshots while the stream is down. */
  readonly pollMs: number;
  readonly backoffMaxMs: number;
  /** A stream that is silent for this long is dead: its ping is overdue. */
  readonly silentMs: number;
  /**
   * A lost stream has this long to reconnect before tabs show the loss, because the next connection misses no events.
   */
  readonly graceMs: number;
  /** The timeout of requests for at most one row. */
  readonly answerMs: number;
}

/**
 * If the stream or the service falls silent, tabs show the board as live for at most another 20 s. A ping is due every
 * 15 s. After `silentMs` without a ping the source reconnects, and tabs show the loss if that fails for `graceMs`.
 * A check starts every `checkMs` and is answered within `answerMs`.
 */
export const sourceTimes: SourceTimes = {
  gatherMs: 50,
  checkMs: 10_000,
  pollMs: 5000,
  backoffMaxMs: 10_000,
  silentMs: 17_000,
  graceMs: 2500,
  answerMs: 8000,
};

/** The maximum time between two snapshots, which are needed because no frame reports that rows were pruned. */
export const snapshotMs = 3_600_000;

/** After this time without a response, the page may be out of date. */
export const outageMs = 30_000;

/** After this time without a connection, the page says so. After one failed check, the next check comes sooner. */
export const disconnectedMs = 6000;

/** The same after the stream broke and a check failed, from the moment when it broke. */
export const lostMs = 5000;

/** How often a visible tab tells the source that it is visible. */
export const seenEveryMs = 60_000;
