import { emptyBoard } from '../board/board.ts';
import { type Grouping, groupingOf } from '../board/groups.ts';
import { useAddress, useBoard, useBoardContext } from './app.ts';

/** The grouping of the board: the viewer's choice, or the default. */
export function useGrouping(): Grouping {
  const board = useBoard() ?? emptyBoard;
  const { ownership } = useBoardContext();
  const { group } = useAddress().board;
  return group ?? groupingOf(board.rows.keys(), ownership);
}
