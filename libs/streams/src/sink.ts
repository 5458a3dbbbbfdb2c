/** Where a cursor writes to: one connection. */
export interface Sink {
  write(chunk: Buffer): void;
  /** Bytes that were written and that the reader has not taken yet. */
  readonly backlogBytes: number;
  readonly closed: boolean;
  /** Resolves when the reader has taken everything, or the connection is closed. */
  drained(): Promise<void>;
}
