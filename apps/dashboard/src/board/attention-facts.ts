/** An emitter of which nothing has come for far longer than usual. */
export interface SilentReporter {
  /** '' = the rows that name none. */
  readonly reporter: string;
  /** When its last row came, ms since the epoch. */
  readonly lastMs: number;
  readonly usualMinutes: number | undefined;
}

/** How long a deployment runs in a slot, in minutes: half of them no longer than `half`, 95 % no longer than `most`. */
export interface UsualMinutes {
  readonly half: number;
  readonly most: number;
}

/** What the service knows beside its events of what needs somebody (questions.md 5 and 10). */
export interface AttentionFacts {
  /** By `slotKey`: the id of the newest event there that has been the last word of its deployment for too long. */
  readonly stuck: ReadonlyMap<string, string>;
  readonly silent: readonly SilentReporter[];
  /** By `slotKey`. */
  readonly usual: ReadonlyMap<string, UsualMinutes>;
}

export const noFacts: AttentionFacts = { stuck: new Map(), silent: [], usual: new Map() };
