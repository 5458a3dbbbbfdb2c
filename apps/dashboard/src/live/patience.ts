import type { Store } from '../state/store.ts';

/** What arrives later than this after the board may move it. */
const afterBoardMs = 1000;
/** Views that don't draw the board wait at most this long. */
export const withoutBoardMs = 4000;

/**
 * Calls `settle` when the page no longer waits for something, possibly twice. Until the board is known, waiting costs
 * nothing.
 */
export function settleLater(board: Store<unknown>, settle: () => void): void {
  setTimeout(settle, withoutBoardMs);
  const stop = board.listen(() => {
    if (board.value === undefined) return;
    stop();
    setTimeout(settle, afterBoardMs);
  });
}
