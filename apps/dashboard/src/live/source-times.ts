/** How long a source waits for what. */
export interface SourceTimes {
  /** Frames of so long make one step of the board. */
  readonly gatherMs: number;
  /** Between two looks whether the log is still the same. */
  readonly checkMs: number;
  /** Between two snapshots while the stream is down. */
  readonly pollMs: number;
  readonly backoffMaxMs: number;
  /** A stream on which nothing comes for so long is dead: its ping is overdue. */
  readonly silentMs: number;
  /** A stream that is down has so long to come back before that is told: the next one misses nothing. */
  readonly graceMs: number;
  /** A request for a row or less is answered within this time, or the service does not answer. */
  readonly answerMs: number;
}

/**
 * Whatever falls silent, the board is called live for 20 s more at most. A ping is due every 15 s: where none has come
 * after `silentMs` another connection is made, and only where that fails for `graceMs` is it told, so that a ping that
 * is merely late alarms nobody. A look begins every `checkMs` and has its answer within `answerMs`.
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

/** Between two snapshots at most: nothing tells that rows were pruned. */
export const snapshotMs = 3_600_000;

/** Without an answer for so long, what is shown may be wrong by now. */
export const outageMs = 30_000;
