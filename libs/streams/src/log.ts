/** One row of a log as sent on its stream. */
export interface Entry {
  /** Ids are compared as text. The entry with the greater id was committed later. */
  readonly id: string;
  /** The value that filters compare. */
  readonly key: string;
  /** The text of the frame, including its final blank line. */
  readonly frame: string;
}

export interface Page {
  /** In ascending order. */
  readonly entries: readonly Entry[];
  /** Every row up to this id was read, whether or not it matched the filter. */
  readonly position: string;
  /** When the page was read, no row was stored after `position`. */
  readonly atHead: boolean;
  /** Whether entries after the requested position are permanently gone. A reader that needs them can't continue. */
  readonly gap?: boolean;
  /** `LogBounds.removals` at the time when the page was read. */
  readonly removals?: bigint;
}

/** The ids that bound a log, all compared as text. */
export interface LogBounds {
  /** The greatest id ever assigned, whether or not its row is still stored. */
  readonly lastId: string;
  /** Rows up to this id may have been removed. */
  readonly removedId: string;
  /** Entries after `from`, up to `to`, were sent and then lost by the store; absent if none were lost. */
  readonly rewound?: { readonly from: string; readonly to: string };
  /** A stream without a resume id starts after this id. */
  readonly beginId: string;
  /**
   * Increases whenever entries are removed. Entries that were read before may be gone. Absent if entries are never
   * removed.
   */
  readonly removals?: bigint;
}

/** The log behind a stream: an append-only table. */
export interface Log {
  bounds(): Promise<LogBounds>;
  /** The page after `position`; with `filter`, only matching entries. If it rejects, the caller retries. */
  read(position: string, filter: string | undefined): Promise<Page>;
  /** Whether a stream with this filter sends entries with this key. */
  passes(filter: string, key: string): boolean;
}
