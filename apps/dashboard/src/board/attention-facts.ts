/** A reporter that has posted nothing for far longer than usual. */
export interface SilentReporter {
  /** '' = rows without a reporter. */
  readonly reporter: string;
  /** The arrival time of the reporter's last row, in ms since the epoch. */
  readonly lastMs: number;
  readonly usualMinutes: number | undefined;
}

/** How long deployments in a slot run, in minutes: `half` is the median, `most` the 95th percentile. */
export interface UsualMinutes {
  readonly half: number;
  readonly most: number;
}

/** What the service knows about attention beyond the events on the board (questions.md 5 and 10). */
export interface AttentionFacts {
  /** By `slotKey`: the id of the stuck deployment's newest event. */
  readonly stuck: ReadonlyMap<string, string>;
  readonly silent: readonly SilentReporter[];
  /** By `slotKey`. */
  readonly usual: ReadonlyMap<string, UsualMinutes>;
}

export const noFacts: AttentionFacts = { stuck: new Map(), silent: [], usual: new Map() };
