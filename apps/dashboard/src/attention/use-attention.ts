import { useMemo } from 'preact/hooks';
import { type Attention, attentionOf, hiddenKey, isRecent } from '../board/attention.ts';
import { type Board, emptyBoard } from '../board/board.ts';
import { noFacts } from '../board/facts.ts';
import type { Filter } from '../board/filter.ts';
import { memoizeLast, memoizePer } from '../board/memoize.ts';
import { useStore } from '../state/store.ts';
import { useAddress, useApp, useBoard, useBoardContext, useNow, usePast, useShown } from '../ui/app.ts';

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
  const all = attentionOf(rowsOf(board), board.environments, context, nowMs);
  return { items, outside: all.length - items.length };
}

/** Returns the same array for the same board, for which `attentionOf` keeps its answer. */
const rowsOf = memoizePer(({ rows }: Board) => [...rows.values()]);

export interface SortedAttention extends Pick<AttentionNow, 'outside'> {
  /** The items that began in the last 24 hours, most urgent first. */
  readonly recent: readonly Attention[];
  readonly older: readonly Attention[];
  /** The items that the viewer has hidden. */
  readonly hidden: readonly Attention[];
  /** The facts haven't arrived, so items may be missing. */
  readonly isCounting: boolean;
}

export function useSortedAttention(): SortedAttention {
  const { items, outside } = useAttention();
  const { hidden: keys } = useStore(useApp().preferences);
  const { facts } = useBoardContext();
  const nowMs = useNow();
  const isPast = usePast() !== undefined;
  return useMemo(() => {
    const isHidden = new Set(keys);
    const shown = items.filter((item) => !isHidden.has(hiddenKey(item)));
    return {
      recent: shown.filter((item) => isRecent(item, nowMs)),
      older: shown.filter((item) => !isRecent(item, nowMs)),
      hidden: items.filter((item) => isHidden.has(hiddenKey(item))),
      outside,
      isCounting: facts === noFacts && !isPast,
    };
  }, [items, outside, keys, nowMs, facts, isPast]);
}

/** A silent reporter belongs to no service or environment, so a filter by services or environments hides it. */
const withoutReporters = memoizeLast((items: readonly Attention[]) => items.filter(({ kind }) => kind !== 'silent'));

function isNarrow({ services, environments, teams, mine, text }: Filter): boolean {
  return services.length + environments.length + teams.length > 0 || mine || text !== undefined;
}
