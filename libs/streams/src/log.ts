/** One row of a log as sent on its stream. */
export interface Entry {
  /** Ids are compared as text: the greater one was committed later. */
  readonly id: string;
  /** The value that filters compare. */
  readonly key: string;
  /** The frame, complete with its blank line. */
  readonly frame: string;
}

export interface Page {
  /** In ascending order. */
  readonly entries: readonly Entry[];
  /** Every row up to this id was read, whether or not it passed the filter. */
  readonly position: string;
  /** No row was stored after `position` when the page was read. */
  readonly atHead: boolean;
  /** Entries after the requested position are gone for good: a reader that needs them cannot continue. */
  readonly gap?: boolean;
  /** As in `LogBounds`, when the page was read. */
  readonly removals?: bigint;
}

/** The ids that bound a log, all compared as text. */
export interface LogBounds {
  /** The greatest id ever assigned, whether or not its row is still stored. */
  readonly lastId: string;
  /** Rows up to this id may be gone. */
  readonly removedId: string;
  /** Entries after `from`, up to `to`, were sent and then lost by the store; absent if none were. */
  readonly rewound?: { readonly from: string; readonly to: string };
  /** The id after which a stream starts that does not resume. */
  readonly beginId: string;
  /** Grows whenever entries are removed: what was read at a smaller number may be gone. Absent if never removed. */
  readonly removals?: bigint;
}

/** A log that streams read: a table that only grows at its end. */
export interface Log {
  bounds(): Promise<LogBounds>;
  /** The page after `position`; with `filter`, only matching entries. May reject: the caller retries. */
  read(position: string, filter: string | undefined): Promise<Page>;
  /** Whether a stream with this filter sends entries of this key. */
  passes(filter: string, key: string): boolean;
}
