import { useMemo, useRef, useState } from 'preact/hooks';
import { type Arrangement, arranged, movesTo, steadied } from '../board/arrangement.ts';
import { type Attention, attentionOf } from '../board/attention.ts';
import { type Board, emptyBoard } from '../board/board.ts';
import type { ColumnChoice } from '../board/columns.ts';
import { rarelyUsed } from '../board/columns.ts';
import type { BoardContext } from '../board/context.ts';
import { type Filter, wantsService } from '../board/filter.ts';
import { type Grouping, groupNames } from '../board/groups.ts';
import { isHealthy } from '../board/healthy.ts';
import { boardLines, cachedRows, type Line } from '../board/lines.ts';
import type { Shown } from '../board/shown.ts';
import { foldingOf } from '../state/address/board.ts';
import { useAddress, useBoard, useBoardContext, useFacts, useNow, usePast } from '../ui/app.ts';
import { useGrouping } from '../ui/grouping.ts';
import type { ColumnPlan } from './layout.ts';

export interface ArrangedBoard {
  readonly lines: readonly Line[];
  readonly plan: ColumnPlan;
  readonly grouping: Grouping;
  /** How many lines would move if it were sorted now. */
  readonly moves: number;
  /** When it was last sorted. */
  readonly atMs: number;
  readonly update: () => void;
}

/** The board as it was last sorted. */
interface Snapshot {
  /** The request it was sorted for. */
  readonly request: string;
  readonly atMs: number;
  readonly arrangement: Arrangement;
  readonly rare: ReadonlySet<string>;
}

/**
 * The board in lines and columns. Positions are fixed when the viewer filters, travels in time or asks for an update;
 * after that cells change but nothing moves, except a folded environment in which something fails.
 */
export function useArrangement(shown: Shown): ArrangedBoard {
  const board = useBoard() ?? emptyBoard;
  const nowMs = useNow();
  const past = usePast();
  const { filter, columns: choice, board: asked } = useAddress();
  const context = useBoardContext();
  const facts = useFacts();
  const [updates, setUpdates] = useState(0);
  const before = useRef<Snapshot | undefined>(undefined);
  const rowsOf = useRef(cachedRows());
  const { group, order, opened, closed, whole } = asked;
  const fold = foldingOf(asked, past !== undefined);
  const request = JSON.stringify([filter, choice, group, order, fold, past, updates]);
  const canFold = filter.text === undefined && filter.only === undefined && filter.services.length === 0;
  const grouping = useGrouping();
  const now = useMemo(() => {
    const { rows, columns } = shown;
    const needing = attentionOf(rows, columns, context, facts, nowMs);
    return arranged(rows, {
      nameOf: groupNames([...board.rows.keys()], grouping, context.ownership),
      isByAttention: order === 'attention',
      urgency: urgencyOf(needing),
      isHealthy: (row) => isHealthy(row, columns, context, nowMs),
      folds: canFold && fold === 'well',
    });
  }, [shown, board, context, facts, nowMs, grouping, order, canFold, fold]);
  const stands = before.current?.request === request ? before.current : undefined;
  const arrangement = stands ? steadied(stands.arrangement, now) : now;
  const rare = withoutFailing(stands?.rare ?? rareIn(board, shown, filter, choice, context), shown);
  const atMs = stands?.atMs ?? nowMs;
  before.current = { request, atMs, arrangement, rare };
  const plan = useMemo(
    () => columnPlan(shown.columns, rare, asked.others, context.production),
    [shown.columns, rare, asked.others, context.production],
  );
  const lines = boardLines(arrangement, rowsOf.current(shown.rows), { opened, closed, whole }, canFold);
  return { lines, plan, grouping, moves: movesTo(now, arrangement), atMs, update: () => setUpdates(updates + 1) };
}

/** The first rank of each service. */
function urgencyOf(needing: readonly Attention[]): Map<string, number> {
  const layout = new Map<string, number>();
  for (const [place, { service, environment }] of needing.entries()) {
    if (environment !== undefined && !layout.has(service)) layout.set(service, place);
  }
  return layout;
}

/** The rarely used environments among services that match by name, so that a text search folds nothing. */
function rareIn(
  board: Board,
  { columns }: Shown,
  filter: Filter,
  choice: ColumnChoice,
  { promotionOrder, ownership }: BoardContext,
): ReadonlySet<string> {
  if (filter.environments.length > 0) return new Set();
  const rows = [...board.rows.values()].filter(({ service }) => wantsService(filter, service, ownership));
  return rarelyUsed(columns, rows, promotionOrder, choice);
}

/** Removes environments with failures; returns the same set without any. */
function withoutFailing(rare: ReadonlySet<string>, { found }: Shown): ReadonlySet<string> {
  const failing = new Set(found.failed.map(({ environment }) => environment));
  const left = [...rare].filter((name) => !failing.has(name));
  return left.length === rare.size ? rare : new Set(left);
}

function columnPlan(
  columns: readonly string[],
  rare: ReadonlySet<string>,
  isUnrolled: boolean,
  production: string | undefined,
): ColumnPlan {
  const isRolled = (name: string) => !isUnrolled && rare.has(name);
  const own = columns.filter((name) => !isRolled(name));
  return {
    all: columns,
    columns: own,
    isPinned: own.length > 1 && own.at(-1) === production,
    others: columns.filter(isRolled),
    isUnrolled: isUnrolled && rare.size > 0,
  };
}
