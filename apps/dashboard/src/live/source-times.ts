/** The times of a source. */
export interface SourceTimes {
  /** Frames that arrive within this time make one step of the board. */
  readonly gatherMs: number;
  /** Between two checks whether the log is still the same. */
  readonly checkMs: number;
  /** Between two snapshots while the stream is down. */
  readonly pollMs: number;
  readonly backoffMaxMs: number;
  /** A stream that is silent for so long is dead: its ping is overdue. */
  readonly silentMs: number;
  /** A lost stream has so long to come back before tabs are told: the next connection misses nothing. */
  readonly graceMs: number;
  /** A request for at most a row has to be answered within this time. */
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

/** After so long without an answer, what is shown may be wrong. */
export const outageMs = 30_000;
