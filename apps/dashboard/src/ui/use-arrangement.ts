import { useMemo, useRef, useState } from 'preact/hooks';
import {
  type Arrangement,
  arranged,
  boardLines,
  cachedRows,
  isSameArrangement,
  steadied,
} from '../board/arrangement.ts';
import { attentionOf, urgencyOf } from '../board/attention.ts';
import { emptyBoard } from '../board/board.ts';
import { agreeingStages, columnsFor, otherStages, rarelyUsed, steadyColumns } from '../board/columns.ts';
import { wantsService } from '../board/filter.ts';
import { isHealthy } from '../board/healthy.ts';
import type { Shown } from '../board/shown.ts';
import { type BoardState, foldingOf, foldsStages } from '../state/address/board.ts';
import { useStore } from '../state/store.ts';
import { useAddress, useApp, useBoard, useBoardContext, useNow, usePast } from './app.ts';
import { type NameOf, useGrouping, useGroupNames, usePrefixOf } from './grouping.ts';
import { useRest } from './use-rest.ts';

const none: ReadonlySet<string> = new Set();

/** What was determined when the board was last arranged. */
interface Snapshot {
  readonly request: string;
  readonly arrangement: Arrangement;
  readonly environments: readonly string[];
  readonly rare: ReadonlySet<string>;
  readonly folded: ReadonlySet<string>;
}

/**
 * The board in lines and columns. Nothing moves while the viewer reads: positions are determined when the viewer
 * filters, changes the display or travels in time, and again when the pointer rests.
 */
export function useArrangement(shown: Shown, byProgress?: NameOf) {
  const board = useBoard() ?? emptyBoard;
  const nowMs = useNow();
  const past = usePast();
  const { filter, columns: choice, board: state, slot } = useAddress();
  const context = useBoardContext();
  // The stages may be known only after the board is drawn.
  const areReported = useStore(useApp().connection.stages).some(({ environments }) => environments.length > 0);
  const [updates, setUpdates] = useState(0);
  const before = useRef<Snapshot | undefined>(undefined);
  const rowsOf = useRef(cachedRows());
  const { group, order, opened, closed, whole, stages: stageFolding } = state;
  const fold = foldingOf(state, past !== undefined);
  const request = JSON.stringify([filter, choice, group, order, fold, stageFolding, past, areReported, updates]);
  const canFold = filter.text === undefined && filter.only === undefined && filter.services.length === 0;
  const grouping = useGrouping();
  const byName = useGroupNames();
  const nameOf = grouping === 'progress' && byProgress ? byProgress : byName;
  const { rows, columns } = shown;
  const now = useMemo(
    () =>
      arranged(rows, {
        nameOf,
        isByAttention: order === 'attention',
        urgency: urgencyOf(attentionOf(rows, columns, context, nowMs)),
        isHealthy: (row) => isHealthy(row, columns, context, nowMs),
        folds: canFold && fold === 'well',
      }),
    [rows, columns, nameOf, context, nowMs, order, canFold, fold],
  );
  const folding = () => {
    const named = [...board.rows.values()].filter(({ service }) => wantsService(filter, service, context.ownership));
    const isPlain = filter.environments.length > 0;
    return {
      rare: isPlain ? none : rarelyUsed(columns, named, context.stages, choice),
      folded: foldsStages(state, columns.length) ? agreeingStages(columns, named, context.stages) : none,
    };
  };
  const last = before.current?.request === request ? before.current : undefined;
  const environments = last ? steadyColumns(last.environments, columns, context.stages) : columns;
  const arrangement = last ? steadied(last.arrangement, now) : now;
  const { rare, folded } = last ?? folding();
  before.current = { request, arrangement, environments, rare, folded };
  const isSettled = isSameArrangement(now, arrangement) && environments.join('\n') === columns.join('\n');
  useRest(isSettled || slot !== undefined ? undefined : () => setUpdates(updates + 1));
  const narrowed = foldedStages(state, folded);
  return {
    lines: boardLines(arrangement, rowsOf.current(rows), { opened, closed, whole }, canFold),
    columns: useMemo(
      () => columnsFor(environments, context.stages, rare, new Set(narrowed)),
      [JSON.stringify(environments), context.stages, rare, JSON.stringify(narrowed)],
    ),
    grouping,
    prefixOf: usePrefixOf(),
  };
}

/** The stages with one column: those that agree and the rarely used environments, unless the viewer chose otherwise. */
function foldedStages({ wide, narrow }: BoardState, agreeing: ReadonlySet<string>): string[] {
  return [...agreeing, otherStages].filter((name) => !wide.includes(name)).concat(narrow);
}
