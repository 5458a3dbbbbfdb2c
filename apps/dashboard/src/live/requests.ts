import type { MatrixRow } from '@shiplog/contract';
import type { Board } from '../board/board.ts';

/** What the service is asked. */
export type Request =
  | {
      readonly name: 'board';
      readonly etag: string | undefined;
      readonly connection: number;
      /** No stream tells what happened since the snapshot before. */
      readonly isJump: boolean;
    }
  | { readonly name: 'rows'; readonly services: readonly string[] }
  /** The end of the log. */
  | { readonly name: 'head'; readonly connection: number }
  /** Whether an event is still in the log. */
  | { readonly name: 'anchor'; readonly id: string }
  | { readonly name: 'ladder' };

export type Answer =
  | (Omit<Extract<Request, { name: 'board' }>, 'etag'> & { readonly snapshot: Snapshot })
  | { readonly name: 'rows'; readonly rows: readonly MatrixRow[]; readonly positions: ReadonlyMap<string, string> }
  | { readonly name: 'head'; readonly connection: number; readonly head: string }
  | { readonly name: 'anchor'; readonly isInLog: boolean }
  | { readonly name: 'ladder'; readonly ladder: readonly string[] }
  | { readonly name: 'failed'; readonly reason: string };

/** A snapshot of the whole matrix; without a board where it is still the one that was known by its ETag. */
export interface Snapshot {
  readonly board: Board | undefined;
  readonly etag: string | undefined;
  /** The log's end in the snapshot; `''` = the log is empty, or the service does not say. */
  readonly position: string;
}
