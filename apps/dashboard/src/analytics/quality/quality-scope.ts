import { useMemo } from 'preact/hooks';
import { emptyBoard } from '../../board/board.ts';
import { everyEnvironment, type Scope, scopeOf } from '../../board/scope.ts';
import { useAddress, useBoard, useBoardContext } from '../../ui/app.ts';

/**
 * The scope of the filter. Without an environment, it has all of them, because a wrong clock anywhere distorts figures.
 */
export function useQualityScope(): Scope | { readonly fault: string } {
  const { filter } = useAddress();
  const board = useBoard() ?? emptyBoard;
  const context = useBoardContext();
  return useMemo(() => {
    const environments = filter.environments.length > 0 ? filter.environments : [everyEnvironment];
    return scopeOf({ ...filter, environments }, board, context);
  }, [filter, board, context]);
}
