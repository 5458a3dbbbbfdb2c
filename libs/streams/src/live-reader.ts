/** Where a reader is written to: one connection. */
export interface Sink {
  write(chunk: Buffer): void;
  /** Bytes that were written and that the reader has not taken yet. */
  readonly backlogBytes: number;
  readonly closed: boolean;
  /** Resolves when the reader has taken everything, or the connection is closed. */
  drained(): Promise<void>;
  /** Cuts the connection. */
  destroy(): void;
}

/** A reader at the head of a log, as the hub sees it. */
export interface LiveReader {
  /** `undefined`: it gets every entry. */
  readonly filter: string | undefined;
  readonly sink: Sink;
  /** Everything up to this id has been written or was filtered out. The hub's position counts if it is greater. */
  position: string;
  /** It must not be handed what was read before so many removals. */
  readonly removals: bigint;
  /** Serves the reader from its position, once the hub has let go of it. */
  run(): Promise<void>;
}
