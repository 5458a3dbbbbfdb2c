import { emptyBoard } from '../board/board.ts';
import { type Shown, shownOf } from '../board/shown.ts';
import { board, ladder } from '../live/connection.ts';
import { aheadSlots } from '../log/ahead-slots.ts';
import { useAddress } from '../state/navigation.ts';
import { useStore } from '../state/store.ts';

/** What the filters of the page let through of the board; nothing, as long as there is none. */
export function useShown(): Shown {
  return shownOf(useStore(board) ?? emptyBoard, useStore(ladder), useAddress(), useStore(aheadSlots));
}
