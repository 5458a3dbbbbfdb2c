import type { MatrixRow } from '@shiplog/contract';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import type { Line } from '../board/arrangement.ts';
import { boxIn, linesUnder } from '../board/box.ts';
import type { BoardContext } from '../board/context.ts';
import type { FutureRows } from '../board/future-rows.ts';
import { isHealthy } from '../board/healthy.ts';
import { memoizePerRow } from '../board/memoize.ts';
import type { Found } from '../board/shown.ts';
import { useBoardContext, useNow } from '../ui/app.ts';
import { GridHead } from './grid-head.tsx';
import { GroupRow, HealthyRow } from './group-row.tsx';
import { useVersionHighlight } from './highlight-version.ts';
import { type GridActions, useGridKeyboard } from './keyboard.ts';
import {
  type ColumnPlan,
  columnLayout,
  type Density,
  type LineLayout,
  rowHeightOf,
  topsOf,
  visibleRange,
} from './layout.ts';
import { fullyVisible, OffScreenButtons, offScreenOf, positionsOf } from './off-screen.tsx';
import { Row } from './row.tsx';
import { useVisibleArea } from './visible-area.ts';

interface GridProps extends GridActions {
  readonly lines: readonly Line[];
  readonly plan: ColumnPlan;
  readonly failed: readonly Found[];
  readonly density: Density;
  readonly absolute: boolean;
}

const headHeight = 38;
const spareRows = 4;
const spareColumns = 2;

/** The matrix. Only visible lines and columns are in the DOM, so the size of the matrix doesn't matter. */
export function Grid({ lines, plan, failed, density, absolute, ...actions }: GridProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const area = useVisibleArea(scroller);
  const nowMs = useNow();
  const context = useBoardContext();
  const { futureRows } = context;
  const { columns } = plan;
  const layout = useMemo(() => columnLayout(area.width, plan, density), [area.width, plan, density]);
  const { nameWidth, lefts, pinnedWidth } = layout;
  const linesUnderOf = useMemo(() => memoizePerRow((row) => linesIn(row, columns, futureRows)), [columns, futureRows]);
  const tops = useMemo(() => {
    const heights = { group: density.groupHeight, healthy: density.healthyHeight };
    return topsOf(
      lines.map((line) => (line.kind === 'row' ? rowHeightOf(linesUnderOf(line.row), density) : heights[line.kind])),
    );
  }, [lines, linesUnderOf, density]);
  const keyboard = useGridKeyboard({ scroller, lines, plan, tops, layout, headHeight, ...actions });
  useVersionHighlight(scroller);
  // `npm run bench -- dashboard` and the browser's tools measure the time of this mark.
  useLayoutEffect(() => void performance.mark('board-drawn'), []);
  const room = { height: area.height - headHeight, width: area.width - nameWidth - pinnedWidth };
  const inRows = visibleRange(tops, { start: area.top, length: area.height, spare: spareRows });
  const inColumns = visibleRange(lefts, { start: area.left, length: room.width, spare: spareColumns });
  const positions = useMemo(() => positionsOf(failed, lines, plan), [failed, lines, plan]);
  const offScreen = offScreenOf(positions, {
    rows: fullyVisible(tops, area.top, room.height),
    columns: fullyVisible(lefts, area.left, room.width),
    scrolled: layout.scrolled,
  });
  const shown = new Set(Array.from({ length: inRows.until - inRows.from }, (_, offset) => inRows.from + offset));
  // Keep the focused line rendered, because scrolling would otherwise lose the focus.
  if (keyboard.row < lines.length) shown.add(keyboard.row);
  return (
    <div class="grid-frame">
      <div
        ref={scroller}
        class={density.lineHeight === 0 ? 'grid compact' : 'grid'}
        role="treegrid"
        aria-label="What is deployed where"
        aria-rowcount={lines.length + 1}
        aria-colcount={columns.length + 1 + Number(layout.othersWidth > 0)}
        {...keyboard.handlers}
      >
        <div
          class="canvas"
          role="presentation"
          style={{
            height: `${headHeight + (tops.at(-1) ?? 0)}px`,
            width: `${nameWidth + (lefts.at(-1) ?? 0) + pinnedWidth}px`,
          }}
        >
          <GridHead plan={plan} layout={layout} height={headHeight} visible={inColumns} onOthers={actions.onOthers} />
          {[...shown]
            .sort((one, other) => one - other)
            .map((index) => {
              const line = lines[index];
              const top = tops[index] ?? 0;
              return (
                line && (
                  <GridLine
                    {...{ line, index, plan, context, layout, absolute, nowMs }}
                    {...inColumns}
                    key={line.key}
                    top={headHeight + top}
                    height={(tops[index + 1] ?? top) - top}
                    visibleWidth={area.width}
                    active={keyboard.row === index ? keyboard.column : undefined}
                  />
                )
              );
            })}
        </div>
      </div>
      <OffScreenButtons offScreen={offScreen} layout={layout} onGo={keyboard.move} />
    </div>
  );
}

function linesIn(row: MatrixRow, columns: readonly string[], futureRows: FutureRows): number {
  return columns.reduce((most, name) => {
    const box = boxIn(row, name, futureRows);
    return box ? Math.max(most, linesUnder(box)) : most;
  }, 0);
}

interface GridLineProps extends Omit<LineLayout, 'lineKey' | 'columns' | 'others' | 'futureRows'> {
  readonly line: Line;
  readonly plan: ColumnPlan;
  readonly context: BoardContext;
  readonly visibleWidth: number;
  readonly absolute: boolean;
  readonly nowMs: number;
}

function GridLine(props: GridLineProps) {
  const { line, plan, context, visibleWidth, absolute, nowMs, ...position } = props;
  const { columns, others } = plan;
  const { futureRows, facts } = context;
  const common = { ...position, lineKey: line.key, columns, others, futureRows };
  const unhealthyIn = (rows: readonly MatrixRow[]) =>
    rows.filter((row) => !isHealthy(row, plan.all, context, nowMs)).length;
  if (line.kind === 'row') {
    const { row, level } = line;
    return <Row {...common} {...{ row, level, facts, absolute, nowMs }} />;
  }
  const { group, rows, isOpen } = line;
  if (line.kind === 'group') {
    const { canFold } = line;
    const title = group.isNew ? 'New services' : (group.name ?? 'Other services');
    return (
      <GroupRow {...common} {...{ title, rows, isOpen, canFold }} isHealthy={!isOpen && unhealthyIn(rows) === 0} />
    );
  }
  const { index, top, height, active } = position;
  return (
    <HealthyRow
      {...{ lineKey: line.key, index, top, height, rows, isOpen }}
      width={visibleWidth}
      columns={columns.length + Number(others.length > 0)}
      unhealthy={unhealthyIn(rows)}
      isActive={active !== undefined}
    />
  );
}
