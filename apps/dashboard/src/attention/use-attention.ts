import type { Attention } from '../board/attention.ts';
import { attentionOf } from '../board/attention.ts';
import { emptyBoard } from '../board/board.ts';
import type { Filter } from '../board/filter.ts';
import { memoizeLast } from '../board/memoize.ts';
import { useAddress, useBoard, useBoardContext, useNow, useShown } from '../ui/app.ts';

export interface AttentionNow {
  /** The items that match the filters of the view; `only` is ignored. */
  readonly items: readonly Attention[];
  /** The number of items that the filters hide. */
  readonly outside: number;
}

export function useAttention(): AttentionNow {
  const { matching, columns } = useShown();
  const board = useBoard() ?? emptyBoard;
  const { filter } = useAddress();
  const context = useBoardContext();
  const nowMs = useNow();
  const matched = attentionOf(matching, columns, context, nowMs);
  const items = isNarrow(filter) ? withoutReporters(matched) : matched;
  const isWhole = matching.length === board.rows.size && columns.length === board.environments.length;
  if (isWhole && !isNarrow(filter)) return { items, outside: 0 };
  const all = attentionOf([...board.rows.values()], board.environments, context, nowMs);
  return { items, outside: all.length - items.length };
}

/** A silent reporter belongs to no service or environment, so a filter by services or environments hides it. */
const withoutReporters = memoizeLast((items: readonly Attention[]) => items.filter(({ kind }) => kind !== 'silent'));

function isNarrow({ services, environments, teams, mine, text }: Filter): boolean {
  return services.length + environments.length + teams.length > 0 || mine || text !== undefined;
}
