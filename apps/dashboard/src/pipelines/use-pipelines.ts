import { useMemo, useRef, useState } from 'preact/hooks';
import { attentionOf } from '../board/attention.ts';
import { slotKey } from '../board/board.ts';
import { stageRank } from '../board/columns.ts';
import { useStore } from '../state/store.ts';
import { useAddress, useApp, useBoardContext, useShown } from '../ui/app.ts';
import { asStood, type LineOrder, lineOrder, type SectionRows } from './row-order.ts';
import { type ServiceStages, stageLineOf } from './service-stages.ts';

export interface Pipelines {
  /** The environments that are columns, from left to right. */
  readonly columns: readonly string[];
  readonly parts: readonly SectionRows[];
  /** The number of rows that are out of order until the order is updated. */
  readonly moves: number;
  readonly update: () => void;
}

/** The rows of matching services, in the order in which they were first rendered. */
export function usePipelines(): Pipelines {
  const { connection } = useApp();
  const shown = useShown();
  const context = useBoardContext();
  const nowMs = useStore(connection.now);
  const columns = useMemo(
    () => stageColumns(shown.columns, context.promotionOrder),
    [shown.columns, context.promotionOrder],
  );
  const { rows } = shown;
  const lines = useMemo(() => {
    const needs = attentionOf(rows, columns, context, nowMs);
    const attention = new Map(
      needs.flatMap((each) =>
        each.environment === undefined ? [] : [[slotKey(each.service, each.environment), each] as const],
      ),
    );
    return rows.flatMap((row) => stageLineOf(row, { columns, context, attention }) ?? []);
  }, [rows, columns, context, nowMs]);
  return { columns, ...useStoodOrder(lines, columns) };
}

/** The environments of the promotion order; all environments if the board has none of these. */
function stageColumns(columns: readonly string[], promotionOrder: readonly string[]): readonly string[] {
  const rank = stageRank(promotionOrder, -1);
  const onLadder = columns.filter((name) => rank(name) >= 0);
  return onLadder.length > 0 ? onLadder : columns;
}

/** Rows move only when the user filters or requests it. On a wall display, where no user can, rows move at any time. */
function useStoodOrder(lines: readonly ServiceStages[], columns: readonly string[]) {
  const { filter, columns: choice, quiet } = useAddress();
  const { board } = useApp().connection;
  const hasBoard = useStore(board) !== undefined;
  const [asked, setAsked] = useState(0);
  const wanted = useMemo(() => ({}), [filter, choice, quiet, asked, hasBoard]);
  const stood = useRef<{ readonly wanted: object; readonly order: LineOrder } | undefined>(undefined);
  const stands = stood.current?.wanted === wanted && stood.current.order.size > 0;
  if (quiet || !stands || !stood.current) stood.current = { wanted, order: lineOrder(lines, columns) };
  return { ...asStood(lines, stood.current.order), update: () => setAsked(asked + 1) };
}
